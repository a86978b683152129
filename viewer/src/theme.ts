import { Color } from "three";

/** Colours that differ for all kinds of sight: those of Okabe and Ito, and viridis for quantities. */
export interface Palette {
  name: "light" | "dark";
  background: string;
  ground: string;
  grid: string;
  bodies: string[];
  hole: string;
  selected: string;
  joint: string;
  force: string;
  torque: string;
  law: string;
  contact: string;
  rail: string;
  sleeper: string;
  ballast: string;
  scenery: string;
  text: string;
  muted: string;
  lines: string[];
}

const BODIES = ["#56a0d3", "#e0a030", "#3aa887", "#c987b0", "#8c9fb5", "#d98354", "#b8b04a", "#7c8fd0"];

export const LIGHT: Palette = {
  name: "light",
  background: "#eef2f6",
  ground: "#dfe5eb",
  grid: "#c3ccd5",
  bodies: BODIES,
  hole: "#2a2f36",
  selected: "#ff5a1f",
  joint: "#333a44",
  force: "#d55e00",
  torque: "#7a3fa0",
  law: "#00795c",
  contact: "#b3134f",
  rail: "#6b6258",
  sleeper: "#a89b8c",
  ballast: "#8f877d",
  scenery: "#b9c0c7",
  text: "#1b222b",
  muted: "#5b6672",
  lines: ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#6a3d9a", "#8a6d00", "#56b4e9", "#444444"],
};

export const DARK: Palette = {
  ...LIGHT,
  name: "dark",
  background: "#14181d",
  ground: "#1b2027",
  grid: "#303842",
  hole: "#05070a",
  selected: "#ff9a5c",
  joint: "#d5dce4",
  force: "#ff8a3c",
  torque: "#c79aff",
  law: "#3ddbb0",
  contact: "#ff6fa3",
  rail: "#b5aa9c",
  sleeper: "#5c5349",
  ballast: "#3d3a37",
  scenery: "#4a525b",
  text: "#e8edf2",
  muted: "#9aa6b3",
  lines: ["#56b4e9", "#ff8a3c", "#2fd0a0", "#f0a6cf", "#b79aff", "#f0e442", "#9ad0ff", "#cfd6de"],
};

const VIRIDIS = ["#440154", "#414487", "#2a788e", "#22a884", "#7ad151", "#fde725"];

/** Viridis, part from 0 to 1. */
export function viridis(part: number): Color {
  const x = Math.min(1, Math.max(0, Number.isFinite(part) ? part : 0)) * (VIRIDIS.length - 1);
  const i = Math.min(VIRIDIS.length - 2, Math.floor(x));
  return new Color(VIRIDIS[i]).lerp(new Color(VIRIDIS[i + 1]), x - i);
}

/** By the logarithm of the strain, from 1e-4 to 1. */
export function strainColour(strain: number): Color {
  return viridis((Math.log10(Math.max(strain, 1e-4)) + 4) / 4);
}
