/** The style of visitors' pages: a card on a screen, the whole width of a narrow one. */
export const STYLE = `
* { box-sizing: border-box; margin: 0; padding: 0; }
html { font: 16px/1.5 -apple-system, "Segoe UI", Roboto, "Noto Sans", Arial, sans-serif; color: #1c1f26; }
body { background: #eceef1; padding: 32px 16px; overflow-wrap: anywhere; font-variant-numeric: tabular-nums; }
main { max-width: 560px; margin: 0 auto; padding: 32px; background: #fff; border-radius: 6px; box-shadow: 0 1px 6px #0003; }
h1 { font-size: 24px; font-weight: 600; line-height: 1.25; letter-spacing: -0.01em; }
h2 { font-size: 17px; font-weight: 600; }
main > * + * { margin-top: 20px; }
.school, .quiet, dt, small { color: #5b6270; }
small { font-size: 14px; font-weight: 400; }
.state { padding: 12px 16px; border-left: 4px solid #1f4fa3; background: #eef3fb; }
.state.good { border-color: #146c43; background: #edf7f1; }
.state.over { border-color: #5b6270; background: #f1f2f4; }
.state.refused { border-color: #b3261e; background: #fdf0ef; }
dl > div { display: flex; justify-content: space-between; gap: 16px; padding: 8px 0; border-bottom: 1px solid #e3e6ea; }
dt { flex: none; }
dd { text-align: right; font-weight: 500; }
dd small { display: block; }
button, .button { display: inline-block; min-height: 44px; padding: 10px 20px; border: 2px solid #1f4fa3; border-radius: 6px;
  background: #1f4fa3; color: #fff; font: inherit; font-weight: 600; text-decoration: none; cursor: pointer; }
.button.second { background: #fff; color: #1f4fa3; }
button.danger { border-color: #b3261e; background: #b3261e; }
a { color: #1f4fa3; }
:focus-visible { outline: 3px solid #8a5a00; outline-offset: 2px; }
.signature { padding-top: 56px; text-align: right; }
.actions { display: flex; flex-wrap: wrap; gap: 12px; }
summary { padding: 10px 0; color: #b3261e; font-weight: 600; cursor: pointer; }
details form > * + *, fieldset > * + * { margin-top: 12px; }
label { display: block; }
input[type="text"] { width: 100%; min-height: 44px; padding: 8px 12px; border: 1px solid #8b919c; border-radius: 6px; font: inherit; }
fieldset { border: 0; }
legend { font-weight: 600; }
.choices { display: flex; flex-wrap: wrap; gap: 8px; list-style: none; }
.choices a, .choices label { display: flex; align-items: center; gap: 8px; min-height: 44px; padding: 8px 12px; border: 1px solid #8b919c;
  border-radius: 6px; color: inherit; text-decoration: none; cursor: pointer; }
.choices a[aria-current] { border-color: #1f4fa3; background: #1f4fa3; color: #fff; }
.choices label:has(:checked) { border-color: #1f4fa3; background: #eef3fb; }
form > .choices + button { margin-top: 16px; }

@media (max-width: 600px) {
  body { padding: 0; background: #fff; }
  main { padding: 20px 16px; box-shadow: none; border-radius: 0; }
  button, .button { width: 100%; text-align: center; }
}
`;
