import { type ComponentProps, type ReactNode, useState } from 'react'
import { Button } from '../form/button.tsx'
import { Panel } from '../layout/panel.tsx'
import { TokenRowsSkeleton } from './token-table.tsx'

/** Number of entries of a long list that are shown at first, and that each press on "more" adds. */
const PORTION = 50

interface ListPanelProps<Item> extends Pick<ComponentProps<typeof Panel>, 'heading'> {
  readonly title: string
  /** The entries of the list, or undefined while they are loading. */
  readonly items: readonly Item[] | undefined
  readonly empty: ReactNode
  /** Renders the first entries of the list. */
  readonly children: (shown: readonly Item[]) => ReactNode
}

/** A panel with a list of tokens or trades, which may be long, empty or still loading. */
export function ListPanel<Item>({ title, heading, items, empty, children }: ListPanelProps<Item>) {
  const [limit, setLimit] = useState(PORTION)
  const left = (items?.length ?? 0) - limit
  return (
    <Panel title={title} heading={heading}>
      {items === undefined ? (
        <TokenRowsSkeleton label={`Loading ${title.toLowerCase()}`} />
      ) : items.length === 0 ? (
        empty
      ) : (
        children(items.slice(0, limit))
      )}
      {left > 0 && (
        <div className="boxed mt-l">
          <Button look="quiet" onClick={() => setLimit((before) => before + PORTION)}>
            Show {Math.min(left, PORTION)} more of {left}
          </Button>
        </div>
      )}
    </Panel>
  )
}
