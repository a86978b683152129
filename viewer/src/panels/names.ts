/** Names of groups of channels for people; others are named by the last part of their path. */
const NAMES: Record<string, string> = {
  "/bodies/position": "position",
  "/bodies/orientation": "orientation (yaw z, pitch y, roll x)",
  "/bodies/velocity": "velocity",
  "/bodies/angular_velocity": "angular velocity",
  "/bodies/affine": "deformation matrix",
  "/bodies/affine_rate": "rate of the deformation matrix",
  "/joints/coordinates": "coordinates",
  "/joints/rates": "rates of coordinates",
  "/joints/reactions": "reaction",
  "/joints/impulse": "impulse",
  "/couplings/reaction": "reaction",
  "/laws/force": "force",
  "/loads/impulse": "impulse",
  "/ledger/work": "work since the start",
  "/ledger/energy": "energy",
  "/tracks/running": "running on the track",
  "/contacts/force": "contact force",
  "/contacts/body": "contact force on the body",
  "/contacts/state": "state of the contact",
  "/contacts/impulse": "contact impulse",
  "/sensors/value": "sensor",
  "/inputs/value": "input",
  "/systems/momentum": "generalised momentum",
  "/probes/acceleration": "acceleration (accelerometer)",
  "/probes/motion_acceleration": "acceleration of the motion",
};

export function groupName(path: string): string {
  return NAMES[path] ?? path.slice(path.lastIndexOf("/") + 1).replaceAll("_", " ");
}

/** Yaw about z, then pitch about the new y, then roll about the new x [rad], of a unit quaternion (w, x, y, z). */
export function anglesOf(w: number, x: number, y: number, z: number): { yaw: number; pitch: number; roll: number } {
  return {
    yaw: Math.atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z)),
    pitch: Math.asin(Math.max(-1, Math.min(1, 2 * (w * y - z * x)))),
    roll: Math.atan2(2 * (w * x + y * z), 1 - 2 * (x * x + y * y)),
  };
}
