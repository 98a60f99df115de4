import type { Child } from "hono/jsx";

export type Column<Row> = {
  name: string;
  /** Words are read from the left and may wrap; all else is numbers, which may not. */
  kind?: "words";
  cell: (row: Row, index: number) => Child;
  total?: string;
};

/** A table whose head is repeated on every printed page; on a narrow screen each row is a block of named values. */
export function Table<Row>({ columns, rows }: { columns: Column<Row>[]; rows: readonly Row[] }) {
  return (
    <table>
      <thead>
        <tr>
          {columns.map(({ name, kind }) => (
            <th scope="col" class={kind}>
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, index) => (
          <tr>
            {columns.map(({ name, kind, cell }) => (
              <td class={kind} data-name={name}>
                {cell(row, index)}
              </td>
            ))}
          </tr>
        ))}
        {/* No tfoot: it would be printed on every page. */}
        {columns.some(({ total }) => total) && (
          <tr class="total">
            {columns.map(({ name, kind, total }) => (
              <td class={kind} data-name={name}>
                {total}
              </td>
            ))}
          </tr>
        )}
      </tbody>
    </table>
  );
}

/** A value and what is to be known of it, in smaller print. */
export function withNote(value: string, note: string | false) {
  return (
    <>
      {value} {note && <small>{note}</small>}
    </>
  );
}
