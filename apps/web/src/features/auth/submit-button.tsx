import { Button } from '../../components/form/button.tsx'
import { useIsSolvingPuzzle } from '../../lib/api/browser-check.ts'

interface SubmitButtonProps {
  readonly label: string
  readonly busyLabel: string
  readonly busy: boolean
}

/** A submit button that explains the delay while the browser solves a proof of work. */
export function SubmitButton({ label, busyLabel, busy }: SubmitButtonProps) {
  const isChecked = useIsSolvingPuzzle() && busy
  return (
    <>
      <Button type="submit" wide tall disabled={busy}>
        {isChecked ? 'Checking your browser...' : busy ? busyLabel : label}
      </Button>
      <p role="status" className="text-s text-center">
        {isChecked &&
          'There were many attempts recently, so your browser must solve a small puzzle first. This takes a few seconds.'}
      </p>
    </>
  )
}
