// `npm run drill:systemd`, as root, with systemd-nspawn, nft and curl: boots a systemd of its own, follows the commands of
// docs/self-host in it, and tries what its page promises. Nothing of this machine is changed.
import { execFile, spawn } from "node:child_process";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { promisify } from "node:util";
import { sqldBinary } from "../../src/sandbox/database-server/sqld-binary.ts";
import { shellBlocks } from "../support/company-ops.ts";

const ROOT = join(import.meta.dirname, "../..");
const OPT = "/opt/company-operations";
const UNITS = "sqld company-operations company-operations-firewall";
const BOOT_MS = 120_000;
const run = promisify(execFile);
/** Another machine, with a private and a public address, that answers on port 80 and 53. */
const FAR = `
ip netns add far && ip link add near type veth peer name far netns far
ip addr add 10.9.9.1/24 dev near && ip addr add 203.0.113.1/24 dev near && ip link set near up
ip netns exec far sh -c 'ip link set lo up; ip link set far up; ip addr add 10.9.9.9/24 dev far; ip addr add 203.0.113.9/24 dev far'
for port in 80 53; do
  ip netns exec far setsid /usr/bin/node -e "require('http').createServer((_, answer) => answer.end('well')).listen($port)" > /dev/null 2>&1 &
done
sleep 2`;

const folder = await mkdtemp(join(tmpdir(), "systemd-"));
const tree = join(folder, "root");
let failures = 0;

await run("npm", ["run", "build"], { cwd: ROOT });
for (const name of ["upper", "work", "root"]) await mkdir(join(folder, name));
const layers = `lowerdir=/,upperdir=${join(folder, "upper")},workdir=${join(folder, "work")}`;
await run("mount", ["-t", "overlay", "overlay", "-o", layers, tree]);
let machine = await boot();
try {
  await drill();
} catch (error) {
  failures += 1;
  const { stdout } = await machine.shell("journalctl --no-pager --lines 60");
  console.log(`${error}\n${stdout}`);
} finally {
  await machine.end();
  await run("umount", [tree]);
  await rm(folder, { recursive: true, force: true });
}
console.log(failures === 0 ? "The drill passed" : `${failures} steps failed`);
process.exit(failures === 0 ? 0 : 1);

async function drill(): Promise<void> {
  // The project and its tools are there already.
  await machine.shell(commandsOf("Prepare").replace(/^cd .* && npm ci --omit=dev && npm run build$/m, ""));
  // No name leads to this machine.
  const origin = "sed --in-place s,^PUBLIC_ORIGIN=.*,PUBLIC_ORIGIN=http://127.0.0.1:8787,";
  await machine.shell(`${origin} /etc/company-operations/worker.env`);
  await machine.shell(commandsOf("systemd"));
  await step("the units are active", `systemctl is-active ${UNITS}`);
  await step("the doctor finds all well", commandsOf("First run, and after each new release"));
  await step(
    "a company is opened",
    `${variables()}; npx company-ops company create drill --name Drill --state 27 > /etc/company-operations/drill.json`,
  );
  await step(
    "nothing complained",
    "! journalctl --unit company-operations --unit sqld --priority warning | grep -v '^-- '",
  );

  await machine.shell(FAR);
  const asWorker = (address: string) => `runuser -u worker -- curl --silent --max-time 4 ${address}`;
  await step("the Worker reaches a public address", asWorker("http://203.0.113.9/"));
  await step("the Worker reaches DNS in a private network", asWorker("http://10.9.9.9:53/"));
  await step("the Worker reaches this machine", asWorker("http://127.0.0.1:8080/health"));
  await step("the Worker reaches no private address", `! ${asWorker("http://10.9.9.9/")}`);
  await step("another user does", "curl --silent --max-time 4 http://10.9.9.9/");
  await step(
    "the rules outlive a reload of nftables",
    `systemctl start nftables && systemctl reload nftables && sleep 2 && ! ${asWorker("http://10.9.9.9/")}`,
  );

  const main =
    "$(pgrep -f '^/usr/bin/node ' --parent $(systemctl show --property MainPID --value company-operations))";
  await ends("runtime", "$(pgrep -x workerd)", "company-operations");
  await ends("main process of the Worker", main, "company-operations");
  await ends("sqld", "$(pgrep -x sqld)", "sqld");
  await stallsWrites();
  await step("the company is still there", `${variables()}; npx company-ops doctor`);
  await machine.shell(
    `cd /etc/company-operations; sed --in-place s/^MASTER_KEY=/PREVIOUS_MASTER_KEY=/ worker.env
    echo "MASTER_KEY=$(openssl rand -base64 32)" >> worker.env`,
  );
  await step("the master key is changed", commandsOf("Changing the master key"));

  await machine.end();
  machine = await boot();
  await step("after a reboot all units are active", `systemctl is-active ${UNITS}`);
  await step("and the doctor finds all well", `${variables()}; npx company-ops doctor`);
  await step("and the firewall holds", `${FAR}\n! ${asWorker("http://10.9.9.9/")}`);
}

/** A process that is stopped, and so answers no more: its unit starts another one. */
async function ends(name: string, process: string, unit: string): Promise<void> {
  const restarts = `systemctl show --property NRestarts --value ${unit}`;
  await step(
    `a ${name} that hangs is started again`,
    `before=$(${restarts}); kill -STOP ${process}
    for i in $(seq 60); do sleep 3; test $(${restarts}) -gt $before && systemctl is-active ${unit} && exit; done; exit 1`,
  );
}

/** A database that answers reads and no write, for its writers are held: sqld is started again, and it takes writes. */
async function stallsWrites(): Promise<void> {
  // An sqld that has just been started would be left alone for five minutes.
  const soon = "/etc/systemd/system/sqld.service.d";
  await machine.shell(`mkdir ${soon}; printf '[Service]\nEnvironment=RESTART_SECONDS=1\n' > ${soon}/soon.conf
    systemctl daemon-reload; systemctl restart sqld`);
  const writes = `read -r database id secret < <(node -p 'const { database, admin_key: key } = JSON.parse(
      fs.readFileSync("/etc/company-operations/drill.json")); database + " " + key.client_id + " " + key.client_secret')
    write() {
      curl --silent --output /dev/null --max-time 20 --write-out '%{http_code}' -H "X-Client-Id: $id" -H "X-Client-Secret: $secret" --json '{"name":"Asha","state":"Karnataka","pincode":"560001"}' http://127.0.0.1:8787/v1/customers/drill
    }`;
  await step("a company writes", `${writes}\ntest "$(write)" = 201`);
  const restarts = "systemctl show --property NRestarts --value sqld";
  await step(
    "an sqld that takes no writes of a database is started again",
    `${variables()}; ${writes}
    before=$(${restarts})
    setsid node test/drills/hold-writers.ts $database > /dev/null 2>&1 &
    sleep 3; test "$(write)" = 503
    for i in $(seq 60); do sleep 3; test $(${restarts}) -gt $before && exit; done; exit 1`,
  );
  await step(
    "and takes them again",
    `${writes}\nfor i in $(seq 10); do sleep 2; test "$(write)" = 201 && exit; done; exit 1`,
  );
}

function variables(): string {
  return `cd ${OPT}; set -a; . /etc/company-operations/worker.env; set +a; export COMPANY_OPS_URL=http://127.0.0.1:8787`;
}

/** The shell commands below a heading of the page. */
function commandsOf(heading: string): string {
  return shellBlocks("self-host/README.md", heading).join("\n");
}

async function step(name: string, script: string): Promise<void> {
  const started = performance.now();
  const failed = await machine.shell(script).then(
    () => "",
    (error: { stdout: string; stderr: string }) => `\n${error.stdout}${error.stderr}`,
  );
  if (failed !== "") failures += 1;
  const took = Math.round(performance.now() - started);
  console.log(`${failed === "" ? "ok" : "no"}  ${name} (${took} ms)${failed}`);
}

/** Boots the machine, and waits until its systemd has come up. */
async function boot() {
  const shown = [
    // What npx writes into the project stays in the machine.
    `--overlay=${ROOT}::${OPT}`,
    `--bind-ro=${process.execPath}:/usr/bin/node`,
    `--bind-ro=${sqldBinary()}:/usr/local/bin/sqld`,
  ];
  const bare = ["--quiet", "--private-network", "--register=no", "--keep-unit", "--console=pipe"];
  const booted = ["--directory", tree, ...shown, "--boot", "systemd.unit=multi-user.target"];
  const container = spawn("systemd-nspawn", [...bare, ...booted], { stdio: "ignore" });
  const ended = new Promise((resolve) => container.once("exit", resolve));
  const init = await firstChildOf(container.pid);
  const bin = "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
  const entered = ["--target", init, "--all", "--", "env", "-i", bin, "HOME=/root", "bash", "-e", "-c"];
  const shell = (script: string) => run("nsenter", [...entered, script], { timeout: 300_000 });
  const end = async () => {
    await shell("systemctl poweroff").catch(() => undefined);
    await ended;
  };
  for (const until = performance.now() + BOOT_MS; performance.now() < until; await wait(500)) {
    const { stdout } = await shell("systemctl is-system-running || true").catch(() => ({ stdout: "" }));
    if (/running|degraded/.test(stdout)) return { shell, end };
  }
  container.kill("SIGKILL");
  throw new Error("The machine did not boot");
}

async function firstChildOf(pid: number | undefined): Promise<string> {
  for (;;) {
    const { stdout } = await run("pgrep", ["--parent", String(pid)]).catch(() => ({ stdout: "" }));
    const [child] = stdout.trim().split("\n");
    if (child) return child;
    await wait(100);
  }
}
