import { expect, test } from "vitest";
import { isPublicHost } from "#shared/network/public-host.ts";
import { publicUrl } from "#shared/network/public-url.ts";

test.each([
  "sms.example.com",
  "api.msg91.com",
  "ec2-13-232-1-2.ap-south-1.compute.amazonaws.com",
  "203-0-114-7.sslip-like.example.com",
  "v1-2-3.example.com",
  "10.example.com",
  "a-b-c-d.example.com",
  "xn--mnchen-3ya.com",
  "cafe.example.com",
  "deadbeef.example.com",
  "magic-local.example.com",
  "svc.example.com",
  "_hooks.my_team.example.com",
  "a--b.example.com",
  `${"a".repeat(63)}.example.com`,
])("%s is a public host", (host) => {
  expect(isPublicHost(host)).toBe(true);
  expect(publicUrl.safeParse(`https://${host}/send`).success).toBe(true);
});

const PRIVATE_NAMES = [
  "localhost",
  "ⓛocalhost",
  "localhost.",
  "a.localhost",
  "db",
  "db.local",
  "db.local.",
  "api.internal",
  "router.lan",
  "nas.home.arpa",
  "1.0.0.127.in-addr.arpa",
  "metadata.google.internal",
  "metadata.google.internal.",
  "db.intranet",
  "localhost.localdomain",
  "abc.onion",
  "mail.shop.svc",
  "api.cluster",
  "db.service.consul",
  "web.docker",
  "app.flycast",
  "nas.workgroup",
  "files.corp",
  "nas.home",
  "sms.test",
  "example.com.",
];
const ADDRESSES = [
  "127.0.0.1",
  "2130706433",
  "0x7f000001",
  "0x7f.1",
  "0177.0.0.1",
  "017700000001",
  "127.1",
  "0",
  "10.0.0.1",
  "100.64.0.1",
  "169.254.169.254",
  "100.100.100.200",
  "192.0.0.192",
  "1.1.1.1",
  "[::1]",
  "[::ffff:127.0.0.1]",
  "[::ffff:7f00:1]",
  "[64:ff9b::a9fe:a9fe]",
  "[fd00:ec2::254]",
  "[2606:4700::1111]",
  "①②⑦.0.0.1",
  "１２７.０.０.１",
  "127。0。0。1",
];
const TELLING_NAMES = [
  "10.0.0.1.nip.io",
  "10-0-0-1.nip.io",
  "app.10.0.0.1.nip.io",
  "app-10-0-0-1.nip.io",
  "customer1-app-7f000001.nip.io",
  "7f000001.nip.io",
  "8.8.8.8.nip.io",
  "sslip.io",
  "--1.sslip.io",
  "fd00--1.sslip.io",
  "www.192-168-0-1.sslip.io",
  "127.0.0.1.xip.io",
  "127.0.0.1.traefik.me",
  "localtest.me",
  "a.localtest.me",
  "lvh.me",
  "a.lvh.me",
  "7f000001.c0a80001.rbndr.us",
  "make-127.0.0.1-rebind-169.254-169.254-rr.1u.ms",
  // No known service, but the name holds an address of a private network.
  "127.0.0.1.example.com",
  "10-0-0-1.example.com",
  "ip-172-31-7-9.example.com",
  "a169-254-169-254.example.com",
  "100-64-1-2.example.com",
  "192.168.1.1.my.example.com",
  "0-0-0-0.example.com",
];

// What no DNS can hold as a host.
const IMPOSSIBLE_NAMES = [
  "-bad-.example.com",
  "bad-.example.com",
  "a.-b.example.com",
  "*.example.com",
  "a..example.com",
  ".example.com",
  `${"a".repeat(64)}.example.com`,
  `${"a.".repeat(122)}example.com`,
  "a$b.example.com",
];

test.each([...PRIVATE_NAMES, ...ADDRESSES, ...TELLING_NAMES, ...IMPOSSIBLE_NAMES])("%s is none", (host) => {
  expect(publicUrl.safeParse(`https://${host}/send`).success).toBe(false);
  const written = URL.parse(`https://${host}/send`)?.hostname;
  if (written !== undefined) expect(isPublicHost(written)).toBe(false);
});

test("an address has no port, no name of a user, no other scheme, and is one", () => {
  for (const text of [
    "https://sms.example.com:8443/",
    "https://sms.example.com:80/",
    "https://me@sms.example.com/",
    "https://sms.example.com@10.0.0.8/",
    "https://:hidden@sms.example.com/",
    "http://sms.example.com/",
    "ftp://sms.example.com/",
    "file:///etc/passwd",
    "javascript:alert(1)",
    "sms.example.com",
    "https://",
    "https:/\\127.0.0.1",
  ])
    expect(publicUrl.safeParse(text).success, text).toBe(false);
});
