/** The page's style: a sheet on a screen, blocks on a narrow one, A4 on paper. */
export const STYLE = `
@page {
  size: A4;
  margin: 12mm 12mm 16mm;
  @bottom-left { content: var(--footer); font: 8pt sans-serif; color: #5b6270; }
  @bottom-right { content: var(--page) counter(page) var(--of) counter(pages); font: 8pt sans-serif; color: #5b6270; }
}
* { box-sizing: border-box; margin: 0; padding: 0; }
html { font: 13px/1.45 -apple-system, "Segoe UI", Roboto, "Noto Sans", Arial, sans-serif; color: #1c1f26; }
body { background: #eceef1; padding: 32px 16px; overflow-wrap: anywhere; font-variant-numeric: tabular-nums; }
main { max-width: 920px; margin: 0 auto; padding: 40px; background: #fff; border-radius: 4px; box-shadow: 0 1px 6px #0003; }
h1 { font-size: 22px; font-weight: 600; letter-spacing: -0.01em; line-height: 1.2; }
h2 { margin-bottom: 4px; font-size: 11px; font-weight: 600; letter-spacing: 0.04em; text-transform: uppercase; break-after: avoid; }
h2, .quiet, small, dt, th { color: #5b6270; }
header, section { margin-bottom: 24px; break-inside: avoid; }
header, .sums { display: flex; justify-content: space-between; gap: 32px; }
header > :first-child, .aside { flex: 1; }
.lines { white-space: pre-line; unicode-bidi: plaintext; }
.name { font-size: 16px; font-weight: 600; line-height: 1.3; }
.title { max-width: 50%; text-align: right; }
.stamp { display: inline-block; margin-top: 12px; padding: 3px 12px; border: 2px solid; border-radius: 4px; font-weight: 700;
  letter-spacing: 0.08em; text-transform: uppercase; print-color-adjust: exact; }
.paid { color: #146c43; }
.partial, .review { color: #8a5a00; }
.unpaid { color: #1f4fa3; }
.overdue { color: #b3261e; }
.parties { display: grid; grid-auto-flow: column; grid-auto-columns: 1fr; gap: 32px; padding: 16px 0; border: solid #d4d8de; border-width: 1px 0; }
dl > div { display: flex; justify-content: space-between; gap: 16px; }
dd { text-align: right; }
.particulars dt { flex: none; max-width: 60%; overflow-wrap: normal; }
.particulars dd { font-weight: 600; }
.totals dd { flex: none; }
.number { white-space: nowrap; }
.items { break-inside: auto; }
table { width: 100%; border-collapse: collapse; }
tr { break-inside: avoid; }
th, td { padding: 6px; border-bottom: 1px solid #e3e6ea; text-align: right; vertical-align: top; white-space: nowrap; }
th { font-size: 11px; font-weight: 600; vertical-align: bottom; background: #f4f5f7; print-color-adjust: exact; }
.words { text-align: left; white-space: normal; }
td.words { min-width: 9em; }
td small { display: block; font-size: 11px; white-space: normal; overflow-wrap: normal; }
.words small { white-space: pre-line; unicode-bidi: plaintext; overflow-wrap: anywhere; }
.report { break-inside: auto; }
.report > .totals { margin-left: auto; padding: 0 6px; }
.report td.words { min-width: 6em; }
.total { break-before: avoid; }
strong, .total td { font-weight: 600; }
th, .total td { border-bottom-color: #c5cad2; }
.totals { width: 300px; }
.totals > div { padding: 3px 0; }
.totals .sum { margin-top: 4px; padding-top: 6px; border-top: 1px solid #c5cad2; font-size: 15px; font-weight: 700; }
.sum dt { color: inherit; }
.endorsement { margin: 8px 0 12px; font-weight: 600; }
.payment { display: flex; gap: 12px; align-items: flex-start; margin-top: 16px; }
.payment > div { display: grid; gap: 12px; padding-top: 8px; }
.payment a { display: none; }
.pay { display: inline-block; margin-top: 16px; padding: 10px 24px; border-radius: 6px; background: #1f4fa3; color: #fff; font-size: 15px; font-weight: 600; text-decoration: none; }
.qr { width: 128px; margin-left: -12px; flex: none; }
.logo { display: block; max-width: 200px; max-height: 72px; margin-bottom: 8px; }
nav { display: flex; justify-content: flex-end; align-items: center; gap: 16px; max-width: 920px; margin: 0 auto 12px; }
nav a { color: #1f4fa3; }
.print { padding: 8px 16px; border: 0; border-radius: 6px; background: #1f4fa3; color: #fff; font: inherit; font-weight: 600; cursor: pointer; }
.end { display: flex; gap: 32px; align-items: flex-end; break-before: avoid; }
.end > :first-child { flex: 1; display: grid; gap: 12px; }
.end > :empty { display: none; }
.signature { width: 280px; flex: none; margin-left: auto; text-align: right; }
.signature p + p { margin-top: 48px; padding-top: 4px; border-top: 1px solid #8b919c; }
:lang(hi) { letter-spacing: 0; }
h2:lang(hi), th:lang(hi), small:lang(hi) { font-size: 12px; }

@media screen and (max-width: 700px) {
  body { padding: 0; background: #fff; }
  nav { margin: 0; padding: 12px 16px 0; }
  main { padding: 20px 16px; box-shadow: none; }
  header, .parties, .sums, .end { display: grid; grid-auto-flow: row; grid-auto-columns: auto; grid-template-columns: 1fr; gap: 20px; }
  .title { max-width: none; text-align: left; }
  .aside { order: 1; }
  .totals { width: auto; }
  thead { display: none; }
  table, tbody, tr, td { display: block; }
  tr { padding: 8px 0; border-bottom: 1px solid #d4d8de; }
  td, td.words { padding: 2px 0; border: 0; text-align: right; }
  td::before { content: attr(data-name); float: left; color: #5b6270; font-weight: 400; }
  td small { display: inline; }
  td:empty, .total, .items td:first-child, .items .words::before { display: none; }
  .items td.words { margin-bottom: 2px; text-align: left; }
  .items .words small { display: block; }
  .payment { flex-direction: column; }
  .payment a { display: inline-block; margin-top: 8px; padding: 10px 16px; border-radius: 6px; background: #1f4fa3; color: #fff;
    font-weight: 600; text-decoration: none; }
}

@media print {
  html { font-size: 8.5pt; line-height: 1.35; }
  body, main { max-width: none; padding: 0; background: none; box-shadow: none; }
  nav, .pay { display: none; }
  h1 { font-size: 16pt; }
  .name { font-size: 11pt; }
  h2, th, td small { font-size: 7.5pt; }
  th, td { padding: 3pt 4pt; }
  header, section { margin-bottom: 12pt; }
  .parties { padding: 9pt 0; }
  .totals > div { padding: 1.5pt 0; }
  .totals .sum { font-size: 10.5pt; }
  .qr { width: 26mm; }
}
`;
