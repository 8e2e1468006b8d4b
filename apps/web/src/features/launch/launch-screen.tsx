import { type FormEvent, useEffect, useState } from 'react'
import { Button } from '../../components/form/button.tsx'
import form from '../../components/form/form.module.css'
import { Themed } from '../../components/layout/themed.tsx'
import { useCurrentUser } from '../../lib/api/current-user.ts'
import { useTitle } from '../../lib/hooks/use-title.ts'
import { forgetIntent, readIntent } from '../../lib/market/kept-intent.ts'
import { showToast } from '../../lib/ui/toasts.ts'
import { type Draft, takeDraft } from './draft.ts'
import { type DraftProblems, draftProblems, firstProblem } from './draft-problems.ts'
import { EmojiPicker } from './emoji-picker.tsx'
import { InitialBuy } from './initial-buy.tsx'
import { exceedsBalance } from './launch-cost.ts'
import { LaunchFields } from './launch-fields.tsx'
import { LaunchPreview } from './launch-preview.tsx'
import classes from './launch-screen.module.css'
import { Perks } from './perks.tsx'
import { useLaunch } from './use-launch.ts'

/** The launch form. */
export function LaunchScreen() {
  const [draft, setDraft] = useState(takeDraft)
  const [problems, setProblems] = useState<DraftProblems>({})
  const { launch, busy } = useLaunch()
  const user = useCurrentUser()
  const isShort = user !== null && exceedsBalance(draft.initialBuyAmount, user.solBalance)
  useTitle('Launch Token')
  // The draft is back in the form, so the home page has nothing left to offer.
  useEffect(() => {
    if (user !== null && readIntent()?.kind === 'launch') forgetIntent()
  }, [user])
  const change = (part: Partial<Draft>) => {
    setDraft((before) => ({ ...before, ...part }))
    // Clear the problem of the field being edited.
    setProblems((before) => ({
      ...before,
      ...Object.fromEntries(Object.keys(part).map((field) => [field, undefined])),
    }))
  }
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    // Guests sign in first; the draft is kept.
    if (user === null) return launch(draft)
    const found = draftProblems(draft)
    const wrong = firstProblem(found)
    setProblems(found)
    if (wrong === null) return launch(draft)
    if (wrong === 'name' || wrong === 'symbol') showMissing()
    event.currentTarget.querySelector<HTMLInputElement>(`input[name=${wrong}]`)?.focus()
  }
  return (
    <div className={classes.page}>
      <div className={classes.head}>
        <h1 className={classes.title}>Launch a token</h1>
        <p className={classes.lead}>
          A name, a ticker, a face. The pool opens the moment you press the button, and there is no way to take a bad
          pun back.
        </p>
      </div>
      <form className={`${form.card} ${form.form} ${classes.form}`} onSubmit={submit} noValidate>
        <Themed>
          <EmojiPicker value={draft.emoji} onPick={(emoji) => change({ emoji })} />
          <LaunchFields draft={draft} problems={problems} onChange={change} />
          <InitialBuy value={draft.initialBuyAmount} onAmount={(initialBuyAmount) => change({ initialBuyAmount })} />
        </Themed>
        <Button type="submit" wide tall disabled={busy || isShort}>
          {busy ? 'Launching...' : isShort ? 'You do not have that much SOL' : 'Launch Token'}
        </Button>
      </form>
      <div className={classes.side}>
        <LaunchPreview draft={draft} />
        <Perks />
      </div>
    </div>
  )
}

function showMissing(): void {
  showToast({ title: 'Missing Information', message: 'Please provide token name and symbol', kind: 'destructive' })
}
