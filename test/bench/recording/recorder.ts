import { setTimeout as sleep } from "node:timers/promises";
import type { Company, Scenario } from "../scenarios.ts";
import { callOnce } from "../setup/company.ts";
import { recordingWorker, startWorkerd, type Worker } from "../setup/workerd.ts";
import { SENT, type Sent } from "./recording.ts";

/** What one call answered, and what it sent. */
type Recorded = { answer: unknown; sent: Sent[] };
export type Recorder = {
  url: string;
  /** Calls a scenario alone, with a number of its own. */
  call: (scenario: Scenario) => Promise<Recorded>;
  stop: () => Promise<void>;
};

// What a call sends beside its answer has gone out by then.
const QUIET_MS = 30;
const FIRST_NUMBER = 60;

/** Starts the bundle with its requests kept. */
export async function startRecorder(directory: string, worker: Worker, company: Company): Promise<Recorder> {
  const { url, stop } = await startWorkerd(directory, await recordingWorker(directory, worker));
  const takeSent = async () => (await (await fetch(url + SENT)).json()) as Sent[];
  let number = FIRST_NUMBER;
  return {
    url,
    async call(scenario) {
      await takeSent();
      number += 1;
      const { body } = await callOnce(url, company, scenario, number);
      await sleep(QUIET_MS);
      return { answer: body, sent: await takeSent() };
    },
    stop,
  };
}
