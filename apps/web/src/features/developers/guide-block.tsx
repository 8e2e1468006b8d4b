import type { Block, Inlines, SlotName } from '@papermoon/guide'
import type { ReactNode } from 'react'
import classes from './guide-block.module.css'
import { InlineText } from './inline-text.tsx'
import { Samples } from './samples.tsx'

interface GuideBlockProps {
  readonly block: Block
  /** What the page puts into the guide's slots. */
  readonly slots: Readonly<Record<SlotName, ReactNode>>
}

/** One block of the guide: text, a table, code, or something live. */
export function GuideBlock({ block, slots }: GuideBlockProps) {
  switch (block.kind) {
    case 'heading':
      return (
        <h3 id={block.id} className={classes.heading}>
          <InlineText text={block.text} />
        </h3>
      )
    case 'paragraph':
      return (
        <p>
          <InlineText text={block.text} />
        </p>
      )
    case 'list':
      return <List isOrdered={block.isOrdered} items={block.items} />
    case 'table':
      return <Table head={block.head} rows={block.rows} />
    case 'code':
      return <Samples samples={block.samples} />
    case 'slot':
      return slots[block.name]
  }
}

function List({ isOrdered, items }: { isOrdered: boolean; items: readonly Inlines[] }) {
  const Kind = isOrdered ? 'ol' : 'ul'
  return (
    <Kind className={classes.list}>
      {items.map((item, index) => (
        <li key={index}>
          <InlineText text={item} />
        </li>
      ))}
    </Kind>
  )
}

function Table({ head, rows }: { head: readonly Inlines[]; rows: readonly (readonly Inlines[])[] }) {
  return (
    <ScrollingTable>
      <thead>
        <tr>
          {head.map((cell, index) => (
            <th key={index} scope="col">
              <InlineText text={cell} />
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, index) => (
          <tr key={index}>
            {row.map((cell, column) => (
              <td key={column}>
                <InlineText text={cell} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </ScrollingTable>
  )
}

/** A table that scrolls by itself where it is wider than the page, by keyboard too. */
export function ScrollingTable({ children }: { children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
    <div className={classes.tableFrame} tabIndex={0}>
      <table className={classes.table}>{children}</table>
    </div>
  )
}
