import '@mantine/core/styles/Table.css'
import { Table } from '@mantine/core'
import type { Block, Inline, Inlines, Language, Sample, SlotName } from '@papermoon/guide'
import { type ReactNode, type RefObject, useLayoutEffect, useRef } from 'react'
import { Segmented } from '../../components/form/segmented.tsx'
import { copyWithToast } from '../../lib/ui/copy-text.ts'
import { saveSetting, useStored } from '../../lib/ui/stored.ts'
import { useFillIn } from './filling.ts'
import classes from './guide-block.module.css'

interface GuideBlockProps {
  readonly block: Block
  /** Content that the page inserts into the guide's slots. */
  readonly slots: Readonly<Record<SlotName, ReactNode>>
}

export function GuideBlock({ block, slots }: GuideBlockProps) {
  switch (block.kind) {
    case 'heading':
      return (
        <h3 id={block.id} className={`text-l ${classes.heading}`}>
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
      return <DataTable head={block.head.map(toText)} rows={block.rows.map((row) => row.map(toText))} />
    case 'code':
      return <Samples samples={block.samples} />
    case 'slot':
      return slots[block.name]
  }
}

function List({ isOrdered, items }: { isOrdered: boolean; items: readonly Inlines[] }) {
  const Kind = isOrdered ? 'ol' : 'ul'
  return (
    <Kind className="bullets">
      {items.map((item, index) => (
        <li key={index}>
          <InlineText text={item} />
        </li>
      ))}
    </Kind>
  )
}

interface DataTableProps {
  readonly head: ReactNode[]
  readonly rows: ReactNode[][]
}

/** A table that the pointer and the keyboard can scroll if it is wider than the page. */
export function DataTable({ head, rows }: DataTableProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
    <div className={`my-l ${classes.tableFrame}`} tabIndex={0}>
      <Table data={{ head, body: rows }} />
    </div>
  )
}

const toText = (text: Inlines) => <InlineText text={text} />

/** Renders guide text with code, emphasis and links. */
function InlineText({ text }: { text: Inlines }) {
  return text.map((part, index) => <Part key={index} part={part} />)
}

function Part({ part }: { part: Inline }) {
  const fillIn = useFillIn()
  if (typeof part === 'string') return fillIn(part)
  switch (part.kind) {
    case 'code':
      return <code className={`px-s text-s breaks round-s on-sunken ${classes.code}`}>{fillIn(part.text)}</code>
    case 'strong':
      return (
        <strong>
          <InlineText text={part.text} />
        </strong>
      )
    case 'emphasis':
      return (
        <em>
          <InlineText text={part.text} />
        </em>
      )
    case 'link':
      return (
        <a href={fillIn(part.to)} className="link">
          <InlineText text={part.text} />
        </a>
      )
  }
}

const NAMES: Readonly<Record<Language, string>> = {
  bash: 'curl',
  typescript: 'TypeScript',
  python: 'Python',
  html: 'HTML',
  json: 'JSON',
}

function Samples({ samples }: { samples: readonly Sample[] }) {
  const { chosen, choose } = useLanguage()
  const frame = useRef<HTMLDivElement>(null)
  const keepInPlace = useKeptPlace(frame, chosen)
  const fillIn = useFillIn()
  const shown = samples.find(({ language }) => language === chosen) ?? samples[0]
  if (shown === undefined) return null
  const name = NAMES[shown.language]
  const code = shown.pieces.map((piece) => (typeof piece === 'string' ? piece : piece[0])).join('')
  return (
    <div ref={frame} className="my-l clipped round-m on-surface edge-inside">
      <div className="row p-s gap-s between torn-bottom">
        {samples.length === 1 ? (
          <span className="small px-s bold">{name}</span>
        ) : (
          <Segmented
            label="Language"
            value={shown.language}
            options={samples.map(({ language }) => ({ value: language, label: NAMES[language] }))}
            onChange={(language) => {
              keepInPlace()
              choose(language)
            }}
          />
        )}
        <button
          type="button"
          className="px-m bold text-s accent control round-s hover-sunken"
          onClick={() =>
            void copyWithToast(fillIn(code), 'Code copied to clipboard', 'Please select the code and copy it.')
          }
        >
          Copy<span className="visually-hidden"> the {name} code</span>
        </button>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard. */}
      <pre className={`p-l text-s focus-inside ${classes.samplesCode}`} tabIndex={0}>
        <code className="mono">
          {shown.pieces.map((piece, index) => {
            const [text, kind] = typeof piece === 'string' ? [piece] : piece
            return (
              <span key={index} className={kind && classes[kind]}>
                {fillIn(text)}
              </span>
            )
          })}
        </code>
      </pre>
    </div>
  )
}

/**
 * Keeps the block at its position on the screen when a change of `choice` also changes the code above the block. Call
 * the returned function before the change.
 */
function useKeptPlace(frame: RefObject<HTMLElement | null>, choice: string | null): () => void {
  const top = useRef<number | null>(null)
  useLayoutEffect(() => {
    if (top.current === null || frame.current === null) return
    window.scrollBy({ top: frame.current.getBoundingClientRect().top - top.current, behavior: 'instant' })
    top.current = null
  }, [frame, choice])
  return () => {
    top.current = frame.current?.getBoundingClientRect().top ?? null
  }
}

const KEY = 'papermoon-guide-language'

interface Choice {
  /** The language that was chosen on this device. The language is null before the first choice. */
  readonly chosen: string | null
  readonly choose: (language: Language) => void
}

function useLanguage(): Choice {
  return { chosen: useStored(KEY), choose: (language) => saveSetting(KEY, language) }
}
