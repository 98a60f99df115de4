// The Worker as `wrangler dev` runs it, but without an inspector: its port lets any caller read the Worker's memory,
// secrets included, and the command has no switch for it. Started by the keeper.
import { unstable_startWorker } from "wrangler";

const [config = "", entrypoint = "", assets = "", port = "", persist = "", variables = ""] =
  process.argv.slice(2);

const worker = await unstable_startWorker({
  config,
  entrypoint,
  assets,
  build: { bundle: false },
  envFiles: [variables],
  dev: {
    server: { hostname: "127.0.0.1", port: Number(port) },
    inspector: false,
    persist,
    watch: false,
  },
});
process.once("SIGTERM", () => worker.dispose().finally(() => process.exit()));
await worker.ready;
