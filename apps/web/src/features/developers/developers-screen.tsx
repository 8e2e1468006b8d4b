import { chapters } from 'virtual:guide'
import type { SlotName } from '@papermoon/guide'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react'
import { Button, ButtonLink } from '../../components/form/button.tsx'
import { ChapterPage } from '../../components/layout/chapter-page.tsx'
import { useCurrentUser } from '../../lib/api/current-user.ts'
import { useTitle } from '../../lib/hooks/use-title.ts'
import { copyWithToast } from '../../lib/ui/copy-text.ts'
import { StreamConsole } from './console/stream-console.tsx'
import classes from './developers-screen.module.css'
import { FillingProvider } from './filling.ts'
import { GuideBlock } from './guide-block.tsx'
import { LanguageProvider } from './language.tsx'
import { Limits } from './limits.tsx'

interface DevelopersScreenProps {
  /** The form of the settings that makes a key. */
  readonly renderKeyForm: (onMade: (made: MadeKey) => void) => ReactNode
}

/** The guide for people who write programs. A key made here stays in this component's memory only. */
export function DevelopersScreen({ renderKeyForm }: DevelopersScreenProps) {
  const [made, setMade] = useState<MadeKey | null>(null)
  const filling = useMemo(() => ({ url: window.location.origin, key: made?.key }), [made])
  useTitle('Developers')
  const slots: Readonly<Record<SlotName, ReactNode>> = {
    key: <KeySlot made={made} form={renderKeyForm(setMade)} onForget={() => setMade(null)} />,
    limits: <Limits />,
    console: <StreamConsole />,
  }
  return (
    <FillingProvider value={filling}>
      <LanguageProvider>
        <ChapterPage
          title="Developers"
          lead="Write a bot, a chart, a tax nightmare. Everything on this page runs as it is, against this fair, with play money."
          chapters={chapters.map(({ id, title, blocks }) => ({
            id,
            title,
            content: blocks.map((block, index) => <GuideBlock key={`${id}-${index}`} block={block} slots={slots} />),
          }))}
          reference={{ href: '/api/reference', title: 'Reference' }}
          wide
        />
      </LanguageProvider>
    </FillingProvider>
  )
}

interface MadeKey {
  readonly name: string
  readonly key: string
}

interface KeySlotProps {
  readonly made: MadeKey | null
  /** Makes a key. */
  readonly form: ReactNode
  readonly onForget: () => void
}

/** Where a player makes the key that the guide's code is filled in with. Guests are led to the registration and back. */
function KeySlot({ made, form, onForget }: KeySlotProps) {
  const user = useCurrentUser()
  if (user === null) return <GuestNote />
  if (made !== null) return <FilledIn made={made} onForget={onForget} />
  return (
    <section className={classes.box} aria-label="Make a key here">
      <p className={classes.note}>
        Made here, it is filled into all code of this page until you leave it. You may have ten keys at a time.
      </p>
      {form}
    </section>
  )
}

function GuestNote() {
  const back = { authTab: 'register', returnTo: '/developers' } as const
  return (
    <section className={classes.box} aria-label="Make a key here">
      <p className={classes.note}>
        A key belongs to a player. Register, it takes half a minute and no e-mail has to arrive, and you come back here
        with 100 SOL to make one.
      </p>
      <div className="acts">
        <ButtonLink to="/auth" state={back}>
          Register and come back
        </ButtonLink>
        <ButtonLink to="/auth" state={{ ...back, authTab: 'login' }} look="quiet">
          I have an account
        </ButtonLink>
      </div>
    </section>
  )
}

function FilledIn({ made: { name, key }, onForget }: { made: MadeKey; onForget: () => void }) {
  // The form that had the focus is gone.
  const stub = useRef<HTMLElement>(null)
  useEffect(() => stub.current?.focus(), [])
  return (
    <section ref={stub} className={classes.stub} tabIndex={-1} aria-label={`The new key ${name}`}>
      <p className="strong">{name}</p>
      <code className={classes.secret}>{key}</code>
      <p className={classes.note}>
        It is in all code below until you leave this page. Copy it now: it is shown this once. You can revoke it in the{' '}
        <Link to="/settings">settings</Link>.
      </p>
      <div className="acts">
        <Button
          onClick={() => void copyWithToast(key, 'API key copied to clipboard', 'Please select the key and copy it.')}
        >
          Copy key
        </Button>
        <Button look="quiet" onClick={onForget}>
          Take it out of the code
        </Button>
      </div>
    </section>
  )
}
