import { unpack } from "./decode";
import { Run } from "./run";

/** The run inside the page; null: there is none. One that a program sends comes through live/live.ts. */
export async function embedded(page: Document): Promise<Run | null> {
  const data = page.getElementById("run")?.textContent;
  return data ? new Run(await unpack(data)) : null;
}
