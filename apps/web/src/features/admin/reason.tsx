import { useId } from 'react'
import classes from './admin.module.css'

export const REASONS = ['Against the house rules', 'Spam', 'Insults', 'A scam', 'Nothing wrong with it'] as const

/** Why something is done, in own or usual words. */
export function Reason({ reason, onChange }: { reason: string; onChange: (reason: string) => void }) {
  const id = useId()
  return (
    <p className={classes.reason}>
      <label htmlFor={id}>Reason, shown to whom it concerns</label>
      <input
        id={id}
        list={`${id}-list`}
        value={reason}
        maxLength={280}
        className={classes.input}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      />
      <datalist id={`${id}-list`}>
        {REASONS.map((words) => (
          <option key={words} value={words} />
        ))}
      </datalist>
    </p>
  )
}
