import { Panel } from '../../../components/layout/panel.tsx'
import { trpc } from '../../../lib/api/api.ts'
import { COLUMNS, type Column } from '../grid/columns.ts'
import { MoverList } from './mover-list.tsx'
import classes from './movers.module.css'

/** Membership of the columns changes slowly; figures and launches are updated by events. */
const EVERY_MS = 15_000
/** Rows that fit beside the grid. */
const BESIDE = 5

/** The columns for launches, gainers and volume: those in `columns`. */
export function Movers({ columns }: { columns: readonly Column[] }) {
  const { data } = trpc.tokens.movers.useQuery(undefined, { refetchInterval: EVERY_MS })
  const tokens = { new: data?.fresh, rising: data?.rising, hot: data?.hot }
  return (
    <div className={classes.columns}>
      {COLUMNS.filter(({ value }) => columns.includes(value)).map(({ value, label }) => (
        <Panel key={value} title={label} className={classes.column ?? ''}>
          <MoverList column={value} tokens={columns.length === 1 ? tokens[value] : tokens[value]?.slice(0, BESIDE)} />
        </Panel>
      ))}
    </div>
  )
}
