import { type FormEvent, useState } from 'react'
import { Button } from '../../components/button.tsx'
import form from '../../components/form.module.css'
import { useTitle } from '../../lib/use-title.ts'
import { type Draft, takeDraft } from './draft.ts'
import { EmojiPicker } from './emoji-picker.tsx'
import { InitialBuy } from './initial-buy.tsx'
import { LaunchFields } from './launch-fields.tsx'
import { LaunchPreview } from './launch-preview.tsx'
import classes from './launch-screen.module.css'
import { Perks } from './perks.tsx'
import { useLaunch } from './use-launch.ts'

/** Where a token is made up. */
export function LaunchScreen() {
  const [draft, setDraft] = useState(takeDraft)
  const { launch, busy } = useLaunch()
  useTitle('Launch Token')
  const change = (part: Partial<Draft>) => setDraft((before) => ({ ...before, ...part }))
  const submit = (event: FormEvent) => {
    event.preventDefault()
    launch(draft)
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
        <EmojiPicker value={draft.emoji} onPick={(emoji) => change({ emoji })} />
        <LaunchFields draft={draft} onChange={change} />
        <InitialBuy value={draft.initialBuyAmount} onAmount={(initialBuyAmount) => change({ initialBuyAmount })} />
        <Button type="submit" wide tall disabled={busy}>
          {busy ? 'Launching...' : 'Launch Token'}
        </Button>
      </form>
      <div className={classes.side}>
        <LaunchPreview draft={draft} />
        <Perks />
      </div>
    </div>
  )
}
