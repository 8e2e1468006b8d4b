import { Textarea } from '@mantine/core'
import form from '../../components/form.module.css'
import { TextField } from '../../components/text-field.tsx'
import type { Draft } from './draft.ts'

const NAME_MAX = 32
const SYMBOL_MAX = 10
const DESCRIPTION_MAX = 500
const LINK_MAX = 200

interface LaunchFieldsProps {
  readonly draft: Draft
  readonly onChange: (part: Partial<Draft>) => void
}

/** The texts of a token. */
export function LaunchFields({ draft, onChange }: LaunchFieldsProps) {
  return (
    <>
      <div className={form.pair}>
        <TextField
          label="Coin Name"
          required
          autoComplete="off"
          maxLength={NAME_MAX}
          placeholder="Paper Moon"
          value={draft.name}
          onChange={(event) => onChange({ name: event.currentTarget.value })}
        />
        <TextField
          label="Ticker"
          required
          autoComplete="off"
          autoCapitalize="characters"
          maxLength={SYMBOL_MAX}
          placeholder="MOON"
          value={draft.symbol}
          onChange={(event) => onChange({ symbol: tickerOf(event.currentTarget.value) })}
        />
      </div>
      <Textarea
        label="Description (optional)"
        size="md"
        rows={3}
        maxLength={DESCRIPTION_MAX}
        classNames={{ label: form.label }}
        value={draft.description}
        onChange={(event) => onChange({ description: event.currentTarget.value })}
      />
      <LinkField label="Website (optional)" value={draft.website} onLink={(website) => onChange({ website })} />
      <div className={form.pair}>
        <LinkField label="X (optional)" value={draft.x} onLink={(x) => onChange({ x })} />
        <LinkField label="Telegram (optional)" value={draft.telegram} onLink={(telegram) => onChange({ telegram })} />
      </div>
    </>
  )
}

function LinkField({ label, value, onLink }: { label: string; value: string; onLink: (link: string) => void }) {
  return (
    <TextField
      label={label}
      type="url"
      inputMode="url"
      autoComplete="off"
      maxLength={LINK_MAX}
      placeholder="https://"
      value={value}
      onChange={(event) => onLink(event.currentTarget.value)}
    />
  )
}

/** Uppercase, and at most 10 characters even where a letter becomes two in uppercase. */
function tickerOf(typed: string): string {
  return [...typed.toUpperCase()].slice(0, SYMBOL_MAX).join('')
}
