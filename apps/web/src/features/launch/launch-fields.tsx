import { useState } from 'react'
import { LongTextField, TextField } from '../../components/form/text-field.tsx'
import { type Draft, type DraftProblems, LINK_MAX, LINKS } from './draft.ts'

const NAME_MAX = 32
const SYMBOL_MAX = 10
const DESCRIPTION_MAX = 500

interface LaunchFieldsProps {
  readonly draft: Draft
  readonly problems: DraftProblems
  readonly onChange: (part: Partial<Draft>) => void
}

export function LaunchFields({ draft, problems, onChange }: LaunchFieldsProps) {
  const link = (name: (typeof LINKS)[number]) => ({
    name,
    value: draft[name],
    error: problems[name],
    onLink: (typed: string) => onChange({ [name]: typed }),
  })
  // Read this value only once, because afterwards the player opens and closes the links.
  const [hasLinks] = useState(() => LINKS.some((name) => draft[name] !== ''))
  return (
    <>
      <div className="columns">
        <TextField
          label="Coin Name"
          name="name"
          error={problems.name}
          required
          withAsterisk
          autoComplete="off"
          maxLength={NAME_MAX}
          placeholder="Paper Moon"
          value={draft.name}
          description={toLimit(draft.name, NAME_MAX)}
          inputWrapperOrder={['label', 'input', 'error', 'description']}
          onChange={(event) => onChange({ name: event.currentTarget.value })}
        />
        <TextField
          label="Ticker"
          name="symbol"
          error={problems.symbol}
          required
          withAsterisk
          autoComplete="off"
          autoCapitalize="characters"
          maxLength={SYMBOL_MAX}
          placeholder="MOON"
          value={draft.symbol}
          description={toLimit(draft.symbol, SYMBOL_MAX)}
          inputWrapperOrder={['label', 'input', 'error', 'description']}
          onChange={(event) => onChange({ symbol: toTicker(event.currentTarget.value) })}
        />
      </div>
      <LongTextField
        label="Description (optional)"
        rows={3}
        maxLength={DESCRIPTION_MAX}
        value={draft.description}
        onChange={(event) => onChange({ description: event.currentTarget.value })}
      />
      <details open={hasLinks}>
        <summary className="touch py-s dim hover-ink">More: website, X and Telegram</summary>
        <div className="stack gap-m">
          <LinkField {...link('website')} label="Website" />
          <div className="columns">
            <LinkField {...link('x')} label="X" />
            <LinkField {...link('telegram')} label="Telegram" />
          </div>
        </div>
      </details>
    </>
  )
}

interface LinkFieldProps {
  readonly name: string
  readonly label: string
  readonly value: string
  readonly error: string | undefined
  readonly onLink: (link: string) => void
}

function LinkField({ onLink, ...rest }: LinkFieldProps) {
  return (
    <TextField
      {...rest}
      // The label must not contain "Optional", because the field's accessible name is "Website".
      description="Optional"
      inputWrapperOrder={['label', 'input', 'error', 'description']}
      type="url"
      inputMode="url"
      autoComplete="off"
      maxLength={LINK_MAX}
      placeholder="https://"
      onChange={(event) => onLink(event.currentTarget.value)}
    />
  )
}

/** Returns a message when a text reaches its max length, because the field cuts off the rest. */
function toLimit(text: string, max: number): string | undefined {
  return text.length >= max ? `${text.length}/${max} characters (maximum reached)` : undefined
}

/**
 * Converts a text to upper case and truncates it to 10 characters. Truncates after the conversion, because for example
 * `ß` becomes two characters in upper case.
 */
function toTicker(typed: string): string {
  return [...typed.toUpperCase()].slice(0, SYMBOL_MAX).join('')
}
