import classes from './segmented.module.css'

interface SegmentedProps<T extends string> {
  readonly label: string
  readonly options: readonly {
    readonly value: T
    readonly label: string
    /** Why the option would change nothing, as a text for the option's title. */
    readonly off?: { readonly disabled: true; readonly title: string } | undefined
  }[]
  readonly value: T | null
  readonly onChange: (value: T) => void
}

/**
 * Converts a record of labels by value to a list of options. Keys that are whole numbers come first in ascending order,
 * as always in JavaScript.
 */
export function toOptions<T extends string | number>(labels: Readonly<Record<T, string>>) {
  return Object.entries(labels).map(([value, label]) => ({ value, label })) as { value: `${T}`; label: string }[]
}

/** A group with toggle buttons, exactly one of which is pressed. */
export function Segmented<T extends string>({ label, options, value, onChange }: SegmentedProps<T>) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset does not lay out as a row of buttons in every browser.
    <div className={`wrap round-s on-sunken p-xs gap-xs ${classes.group}`} role="group" aria-label={label}>
      {options.map((option) => (
        <button
          key={option.value}
          type="button"
          className={`small px-m round-s bold nowrap hover-ink inline-row bare centered ${classes.option}`}
          aria-pressed={option.value === value}
          {...option.off}
          onClick={() => onChange(option.value)}
        >
          {option.label}
        </button>
      ))}
    </div>
  )
}
