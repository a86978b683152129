import type { Verified } from "./verify";

/** What src/report/header.cpp writes. Poses are seven numbers: position, quaternion w x y z. */
export type Pose7 = number[];

export interface Shape {
  kind: "box" | "sphere" | "cylinder" | "tube" | "cone" | "capsule" | "ellipsoid" | "rod" | "point" | "mesh";
  pose: Pose7;
  size?: number[];
  axis?: number[];
  hole?: boolean;
  triangles?: number;
  /** "#rrggbb"; none: that of the body, or of the page. */
  color?: string;
  /** What it is. */
  text?: string;
}

export interface Body {
  name: string;
  kind: string;
  mass: number | null;
  com: number[];
  /** Ixx Iyy Izz Ixy Ixz Iyz about the centre of mass, body axes. */
  inertia: (number | null)[];
  shapes: Shape[];
  color?: string;
  /** Stands for a number alone: not drawn, nor the joint that it is on. */
  hidden?: boolean;
}

/** A free coordinate as the text of its row, "Ax.D" or "atan2(Az.By, Ay.By)". */
export interface Freedom {
  name: string;
  row: string;
  unit: string;
}

export interface Joint {
  name: string;
  type: string;
  a: string;
  b: string;
  track: string;
  frame_a: Pose7;
  frame_b: Pose7;
  free: Freedom[];
}

export interface Law {
  name: string;
  type: string;
  joint: string;
  coordinate: string;
}

export interface TrackLine {
  name: string;
  body: string;
  pose: Pose7;
  closed: boolean;
  points: number;
}

export interface Series {
  path: string;
  quantity: string;
  items: string[];
  columns: string[];
  units: string[];
  values: number;
}

export interface RunEvent {
  t: number;
  kind: string;
  subject: string;
  text: string;
  value: number | null;
  unit: string;
}

/** What may be set while a run is driven. */
export interface DriveInput {
  name: string;
  unit: string;
  rest: number;
  /** Null: no bound. */
  from: number | null;
  to: number | null;
  /** One that raises it, or two: lowers, raises. */
  keys: string[];
  /** Of a gamepad; -1: none. */
  axis: number;
  /** How fast keys move it [a second]. */
  rate: number;
  /** To its rest, when keys are let go. */
  returns: boolean;
  text: string;
}

/** Of a run that goes on while it is looked at (docs/live.md). */
export interface LiveHeader {
  mode: "view" | "play";
  step: number;
  end: number;
  inputs: DriveInput[];
}

export interface Display {
  name: string;
  unit: string;
  text: string;
}

/** A plot that the scene's author asks for: a panel for each entry of y, "a, b" for several lines. */
export interface AuthorPlot {
  name: string;
  title: string;
  x: string;
  y: string[];
}

export interface Header {
  format: string;
  version: number;
  name: string;
  title: string;
  overrides: string;
  formulation: string;
  trammel: string;
  scene_path: string;
  scene_text: string;
  ending: string;
  finished: string;
  summary: string;
  no_shapes: string;
  gravity: number[];
  bodies: Body[];
  joints: Joint[];
  laws: Law[];
  loads: { name: string; body: string }[];
  tracks: TrackLine[];
  /** Fixed in the world, for looking. */
  scenery?: Shape[];
  time: number;
  /** Points of contact: of the first its columns over all frames, then of the next; not a number where it is not there. */
  contacts?: { most: number; columns: string[]; values: number };
  series: Series[];
  events: RunEvent[];
  events_left_out: number;
  /** What `trammel verify` says of the scene; null, or none: nothing. */
  verify?: Verified | null;
  thinning: { every: number; frames_of_run: number; most_bytes: number; left_out: string[] };
  live?: LiveHeader;
  /** Sensors that are shown large in the picture. */
  displays?: Display[];
  plots?: AuthorPlot[];
  arrays: { offset: number; count: number; bytes: number }[];
}
