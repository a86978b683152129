import { unpack } from "./decode";
import { Run } from "./run";

/** Where a run comes from: what is inside the page, or later a program that sends it. */
export interface Source {
  /** The run so far. */
  run(): Run;
  /** Calls back when there is more of it; never, where it is whole. */
  onMore(listener: () => void): void;
}

class WholeRun implements Source {
  constructor(private readonly whole: Run) {}
  run(): Run {
    return this.whole;
  }
  onMore(): void {}
}

/** The run inside the page; null: there is none. */
export async function embedded(page: Document): Promise<Source | null> {
  const data = page.getElementById("run")?.textContent;
  return data ? new WholeRun(new Run(await unpack(data))) : null;
}
