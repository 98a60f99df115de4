import { expect, test } from "vitest";
import { Clients, openClient } from "#core/database/clients.ts";

function counting() {
  const opened: string[] = [];
  const clients = new Clients((address) => {
    opened.push(`${address.url} ${address.token}`);
    return openClient(address, 1_000);
  });
  return { opened, clients };
}

const addressOf = (company: number) => ({ url: `http://db.example/${company}/`, token: "a token" });

test("a database keeps its client, and a token that was changed has one of its own", () => {
  const { opened, clients } = counting();
  const first = clients.of(addressOf(1));
  expect(clients.of(addressOf(1))).toBe(first);
  expect(clients.of({ ...addressOf(1), token: "another" })).not.toBe(first);
  expect(opened).toEqual(["http://db.example/1/ a token", "http://db.example/1/ another"]);
});

test("500 clients are kept at most, and the one that was used least recently goes", () => {
  const { opened, clients } = counting();
  for (let company = 1; company <= 500; company += 1) clients.of(addressOf(company));
  clients.of(addressOf(1));
  for (let company = 501; company <= 999; company += 1) clients.of(addressOf(company));
  expect(clients.size).toBe(500);
  expect(opened).toHaveLength(999);
  clients.of(addressOf(1));
  expect(opened).toHaveLength(999);
  clients.of(addressOf(2));
  expect(opened).toHaveLength(1_000);
});

test("a client is replaced after 2,000 uses: aborted requests leave a little in it", () => {
  const { opened, clients } = counting();
  const used = new Set(Array.from({ length: 4_001 }, () => clients.of(addressOf(1))));
  expect(used.size).toBe(3);
  expect(opened).toHaveLength(3);
  expect(clients.size).toBe(1);
});
