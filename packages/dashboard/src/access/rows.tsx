/** A list of Access: a table of all rows, or what to do if there are none. */
import { Empty, Failure, Loading } from '@underpass/ui/states.tsx';
import { type Column, Table } from '@underpass/ui/table.tsx';
import type { ListState } from '../api/list.ts';

interface RowsParts<T> {
  readonly list: ListState<T>;
  readonly label: string;
  readonly columns: readonly Column<T>[];
  /** Words for a list without rows. */
  readonly nothing: string;
  /** The command that creates the first; absent: there is none. */
  readonly command?: string;
  readonly hrefOf?: (row: T) => string;
}

export function Rows<T extends { readonly id: string }>({ list, nothing, command, ...table }: RowsParts<T>) {
  const { rows, error, isLoading, refresh, more } = list;
  if (error !== null && rows.length === 0) return <Failure error={error} retry={refresh} />;
  if (isLoading) return <Loading what={table.label} />;
  if (rows.length === 0) return <Empty title={nothing} {...(command === undefined ? {} : { command })} />;
  return (
    <>
      {error !== null && <Failure error={error} retry={refresh} />}
      <Table {...table} rows={rows} keyOf={(row) => row.id} more={more} />
    </>
  );
}
