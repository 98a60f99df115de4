import { expect, test } from "vitest";
import { newCustomer } from "../../features/commerce.ts";
import { clientOf, openCompany } from "../../support/company.ts";
import { ownService } from "../../support/own-service.ts";
import { check, sentences, tamper } from "../../tenancy/companies/self-check.ts";
import { keyOf, startRotation, untilLookedThrough } from "./rotation.ts";

const [OLD, NEW] = [keyOf(11), keyOf(12)];

// A service of its own: its master key changes.
const service = await ownService([], { variables: { MASTER_KEY: OLD } });
const { address } = service;
const company = await openCompany({}, address);

/** Writes a row, and lets the hourly jobs chain the log to its end. */
async function writeAndChain(): Promise<void> {
  await newCustomer(company);
  await company.sweep(async () => {
    const { rows } = await clientOf("control", address).execute("SELECT max(last_id) AS id FROM audit_heads");
    const [newest] = await company.rows("SELECT max(id) AS id FROM audit_log");
    return rows[0]?.id === newest?.id;
  });
}

const found = async () => sentences(await check(company, address));

test("links from before a change of the master key can be checked once the old key is dropped", async () => {
  await writeAndChain();
  await service.restart({ MASTER_KEY: NEW, PREVIOUS_MASTER_KEY: OLD });
  expect(await found()).toEqual([]);
  await writeAndChain();
  await startRotation(address);
  await untilLookedThrough(service);
  await service.restart({ MASTER_KEY: NEW });
  await writeAndChain();
  const keys = await company.rows("SELECT DISTINCT key_id FROM audit_links");
  expect(keys).toHaveLength(2);
  expect(await found()).toEqual([]);
  await tamper(company, ["UPDATE audit_log SET actor = 'no-one' WHERE id = 1"]);
  expect(await found()).toEqual(["the audit log is what its chain says"]);
});
