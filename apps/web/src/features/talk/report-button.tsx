import { useState } from 'react'
import { type Inputs, trpc } from '../../lib/api/api.ts'
import { useCurrentUser } from '../../lib/api/current-user.ts'
import { showToast } from '../../lib/ui/toasts.ts'
import classes from './talk.module.css'

type Report = Inputs['reports']['report']
const REASONS: readonly Report['reason'][] = ['spam', 'abuse', 'hate', 'sexual', 'scam', 'other']

interface ReportButtonProps extends Pick<Report, 'id'> {
  /** The things that can be reported here. If there are several, each one's name is above its list of reasons. */
  readonly kinds: readonly Report['kind'][]
  readonly label?: string
}

/** A button that reports something for one of six reasons. Guests do not see this button. */
export function ReportButton({ id, kinds, label = 'Report' }: ReportButtonProps) {
  const user = useCurrentUser()
  const [isOpen, setOpen] = useState(false)
  const mutation = trpc.reports.report.useMutation({
    meta: { failure: 'Could not send the report' },
    onSuccess: () =>
      showToast({ title: 'Report sent', message: 'A moderator will look. You’ll find the outcome in Settings.' }),
  })
  if (user === null) return null
  const report = (kind: Report['kind'], reason: Report['reason']) => {
    setOpen(false)
    mutation.mutate({ kind, id, reason })
  }
  return (
    <>
      <button type="button" className={classes.action} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {label}
      </button>
      {isOpen &&
        kinds.map((kind) => (
          // biome-ignore lint/a11y/useSemanticElements: a fieldset does not lay out as a row of buttons in every browser.
          <span key={kind} role="group" aria-label={`What is wrong with the ${kind}`} className="row gap-s wrap">
            {kinds.length > 1 && `The ${kind}: `}
            {REASONS.map((reason) => (
              <button
                key={reason}
                type="button"
                className={`on-raised ${classes.action}`}
                onClick={() => report(kind, reason)}
              >
                {reason}
              </button>
            ))}
          </span>
        ))}
    </>
  )
}
