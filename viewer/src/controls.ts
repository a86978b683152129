import type { Picture } from "./scene3d/picture";

/** Mouse and touch on the canvas. */
export function pointers(canvas: HTMLCanvasElement, picture: Picture, onClick: (x: number, y: number) => void): void {
  const down = new Map<number, { x: number; y: number }>();
  let moved = 0;
  let spread = 0;
  const gap = () => {
    const [a, b] = [...down.values()];
    return a && b ? Math.hypot(a.x - b.x, a.y - b.y) : 0;
  };
  canvas.addEventListener("pointerdown", (e) => {
    canvas.setPointerCapture(e.pointerId);
    if (down.size === 0) moved = 0;
    down.set(e.pointerId, { x: e.clientX, y: e.clientY });
    spread = gap();
  });
  canvas.addEventListener("pointermove", (e) => {
    const at = down.get(e.pointerId);
    if (!at) return;
    const [dx, dy] = [e.clientX - at.x, e.clientY - at.y];
    moved += Math.abs(dx) + Math.abs(dy);
    down.set(e.pointerId, { x: e.clientX, y: e.clientY });
    if (down.size === 2) {
      const now = gap();
      if (spread > 0 && now > 0) picture.camera.zoom(spread / now);
      spread = now;
      picture.camera.pan(dx / canvas.clientHeight / 2, dy / canvas.clientHeight / 2);
    } else if (e.buttons & 6 || e.shiftKey) {
      picture.camera.pan(dx / canvas.clientHeight, dy / canvas.clientHeight);
    } else {
      picture.camera.drag(dx, dy);
    }
  });
  const up = (e: PointerEvent) => {
    if (!down.delete(e.pointerId)) return;
    const box = canvas.getBoundingClientRect();
    if (moved < 5 && e.type === "pointerup" && e.button === 0) onClick(e.clientX - box.left, e.clientY - box.top);
  };
  canvas.addEventListener("pointerup", up);
  canvas.addEventListener("pointercancel", up);
  canvas.addEventListener("contextmenu", (e) => e.preventDefault());
  canvas.addEventListener("wheel", (e) => (e.preventDefault(), picture.camera.zoom(Math.exp(e.deltaY * 0.0012))), { passive: false });
}

export type Actions = Record<string, (shift: boolean) => void>;

const DRIVES: Record<string, [number, number, number]> = {
  w: [0, 1, 0],
  s: [0, -1, 0],
  a: [-1, 0, 0],
  d: [1, 0, 0],
  e: [0, 0, 1],
  q: [0, 0, -1],
};

/** Keys, unless a field of text or a slider has them. In free flight some of them fly. */
export function keys(picture: Picture, actions: Actions, signal: AbortSignal): void {
  const held = new Set<string>();
  const drive = () => {
    const sum = [0, 0, 0];
    for (const key of held) DRIVES[key]!.forEach((v, i) => (sum[i]! += v));
    picture.camera.drive(sum[0]!, sum[1]!, sum[2]!);
  };
  const release = (key: string) => held.delete(key) && drive();
  window.addEventListener("keyup", (e) => release(e.key.toLowerCase()), { signal });
  window.addEventListener("blur", () => (held.clear(), drive()), { signal });
  window.addEventListener("keydown", (e) => {
    const at = e.target as HTMLElement;
    if (document.querySelector("dialog[open]")) return; // Esc closes it
    if (e.ctrlKey || e.metaKey || e.altKey || /^(INPUT|SELECT|TEXTAREA)$/.test(at.tagName)) {
      if ((at as HTMLInputElement).type !== "checkbox") return;
    }
    if (e.key === " " && at.tagName === "BUTTON") return;
    const key = e.key.length === 1 ? e.key.toLowerCase() : e.key;
    if (picture.camera.mode === "free" && key in DRIVES) {
      held.add(key);
      return drive();
    }
    const act = actions[key];
    if (!act) return;
    e.preventDefault();
    act(e.shiftKey);
  }, { signal });
}
