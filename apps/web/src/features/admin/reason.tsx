import { type Ref, useId } from 'react'
import { TextField } from '../../components/form/text-field.tsx'

export const REASONS = ['Breaks the house rules', 'Spam', 'Insults', 'Scam', 'No rule was broken'] as const

interface ReasonProps {
  readonly reason: string
  readonly onChange: (reason: string) => void
  readonly field?: Ref<HTMLInputElement>
  readonly label?: string
}

/**
 * A field for the reason, with suggestions. Enter and Escape leave the field. The moderator can then use single-key
 * shortcuts again.
 */
export function Reason({ reason, onChange, field, label = 'Reason shown to the player' }: ReasonProps) {
  const id = useId()
  return (
    <>
      <TextField
        ref={field}
        label={label}
        list={id}
        value={reason}
        maxLength={280}
        onKeyDown={({ key, currentTarget }) => {
          if (key === 'Enter' || key === 'Escape') currentTarget.blur()
        }}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      />
      <datalist id={id}>
        {REASONS.map((words) => (
          <option key={words} value={words} />
        ))}
      </datalist>
    </>
  )
}
