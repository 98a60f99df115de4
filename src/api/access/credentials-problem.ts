import { Problem, type ProblemCode } from "#shared/problem.ts";

/** Why a call's credentials are refused, and which keys its operation takes. */
export type Refusal = {
  code: Extract<ProblemCode, "missing_credentials" | "invalid_credentials" | "secret_key_required">;
  accepted: "secret" | "any";
};

// RFC 9110 wants a challenge in each 401; browsers ask people for no key of this scheme.
const KEY_CHALLENGE = 'ApiKey realm="company", headers="X-Client-Id X-Client-Secret"';
const TOKEN_CHALLENGE = 'Bearer realm="platform"';

/** The 401 of a call without a key that may make it: names the headers to send, never which of them is wrong. */
export function credentialsProblem(headers: Headers, { code, accepted }: Refusal): Problem {
  return new Problem(code, {
    message: adviceOn(headers, code, accepted),
    headers: { "WWW-Authenticate": KEY_CHALLENGE },
  });
}

/** The 401 of an operation of the platform. */
export function tokenProblem(isSent: boolean): Problem {
  const error = isSent ? ', error="invalid_token"' : "";
  const message = isSent
    ? "The token is not the operator's: send Authorization: Bearer and the value of PLATFORM_TOKEN"
    : "Send the header Authorization: Bearer and the value of PLATFORM_TOKEN; API keys do not work here";
  return new Problem(isSent ? "invalid_credentials" : "missing_credentials", {
    message,
    headers: { "WWW-Authenticate": TOKEN_CHALLENGE + error },
  });
}

function adviceOn(headers: Headers, code: Refusal["code"], accepted: Refusal["accepted"]): string {
  if (code === "secret_key_required")
    return "A publishable key works below /schools only: send X-Client-Id and X-Client-Secret of a secret key";
  if (code === "invalid_credentials")
    return "No live key has these credentials: check X-Client-Id and X-Client-Secret, and whether the key is revoked or expired";
  if (headers.has("X-Client-Id")) return "The secret is missing: send X-Client-Secret beside X-Client-Id";
  const publishable = accepted === "any" ? ", or X-Client-Id alone with a publishable key" : "";
  const instead = headers.has("Authorization") ? "; the header Authorization is not read here" : "";
  return `Send the headers X-Client-Id and X-Client-Secret${publishable}${instead}`;
}
