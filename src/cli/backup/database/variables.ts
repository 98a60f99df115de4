import { type DatabaseVariables, demoCredentials } from "../../credentials.ts";

/**
 * A variable of the Worker, of the environment; or of the sandbox, when the environment names no control database: a
 * database of one must not be opened by a key of the other.
 */
export function variable(name: keyof DatabaseVariables | "PREVIOUS_MASTER_KEY"): string | undefined {
  if (process.env.CONTROL_DATABASE_URL === undefined && name !== "PREVIOUS_MASTER_KEY") {
    const { worker } = demoCredentials();
    if (worker !== undefined) return worker[name];
  }
  return process.env[name] || undefined;
}
