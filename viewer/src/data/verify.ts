/** What `trammel verify --json` says (src/cli/verify_report.cpp), as far as it is shown. */
export interface Distance {
  m: number | null;
  rad: number | null;
}
export interface VerifiedSeries {
  name: string;
  nominal_order: number;
  observed_order: number | null;
  failure: string;
  note: string;
  levels: { run: string; step: number; accuracy: number | null; error: Distance }[];
  error: Distance;
  uncertainty: Distance;
  chaotic_beyond: number | null;
}
export interface Residual {
  what: string;
  unit: string;
  worst: number | null;
  allowed: number | null;
  tolerance: string;
  subject: string;
  t: number | null;
  judged: boolean;
  ok: boolean;
}
export interface Verified {
  status: string;
  scene: string;
  horizon: number;
  duration: number;
  step: number;
  size: number;
  distance: Distance;
  chaotic_beyond: number | null;
  findings: string[];
  ill_posed: string[];
  not_resolved?: { series: string; from: number; why: string }[];
  unfinished: string[];
  series: VerifiedSeries[];
  pairs: { a: string; b: string; distance: Distance; allowed: Distance; body: string }[];
  not_compared: { name: string; why: string }[];
  independent?: { times: number; bodies: number; joints: number; residuals: Residual[]; not_checked: string[] };
}
