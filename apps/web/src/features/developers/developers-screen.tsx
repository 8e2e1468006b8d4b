import { chapters } from 'virtual:guide'
import type { SlotName } from '@papermoon/guide'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useMemo, useState } from 'react'
import { Button, ButtonLink } from '../../components/form/button.tsx'
import { SecretStub } from '../../components/form/secret-stub.tsx'
import { ChapterPage } from '../../components/layout/chapter-page.tsx'
import { useCurrentUser } from '../../lib/api/current-user.ts'
import { useTitle } from '../../lib/hooks/use-title.ts'
import { StreamConsole } from './console/stream-console.tsx'
import { FillingProvider } from './filling.ts'
import { GuideBlock } from './guide-block.tsx'
import { LanguageProvider } from './language.tsx'
import { Limits } from './limits.tsx'

interface DevelopersScreenProps {
  /** Renders the form from the settings that creates a key. */
  readonly renderKeyForm: (onMade: (made: MadeKey) => void) => ReactNode
}

/** The guide for people who write programs. A key created here exists only in this component's memory. */
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
          lead="Write a bot or your own chart. All code on this page is ready to run on this site with play money."
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
  /** The form that creates a key. */
  readonly form: ReactNode
  readonly onForget: () => void
}

/** Lets a player create the API key that fills in the guide's code. Guests are sent to the registration and back. */
function KeySlot({ made, form, onForget }: KeySlotProps) {
  const user = useCurrentUser()
  if (user === null) return <GuestNote />
  if (made !== null) return <FilledIn made={made} onForget={onForget} />
  return (
    <section className="card my-l stack gap-l text-m pretty" aria-label="Create a key here">
      <p className="dim">
        A key that you create here appears in all code on this page until you leave the page. You can have at most ten
        keys.
      </p>
      {form}
    </section>
  )
}

function GuestNote() {
  const back = { authTab: 'register', returnTo: '/developers' } as const
  return (
    <section className="card my-l stack gap-l text-m pretty" aria-label="Create a key here">
      <p className="dim">
        You need an account to create a key. Registering takes half a minute and needs no confirmation email. You then
        return to this page with 100 SOL.
      </p>
      <div className="acts">
        <ButtonLink to="/auth" state={back}>
          Register and return here
        </ButtonLink>
        <ButtonLink to="/auth" state={{ ...back, authTab: 'login' }} look="quiet">
          Log in and return here
        </ButtonLink>
      </div>
    </section>
  )
}

function FilledIn({ made: { name, key }, onForget }: { made: MadeKey; onForget: () => void }) {
  return (
    <div className="my-l">
      <SecretStub
        label={`New key: ${name}`}
        title={name}
        note={
          <>
            Your key is in all code below until you leave this page. Copy the key now, because we show it only once. You
            can revoke it in the <Link to="/settings">settings</Link>.
          </>
        }
        text={key}
        copied={['API key copied to clipboard', 'Please select the key and copy it.']}
        copyLabel="Copy key"
        actions={
          <Button look="quiet" onClick={onForget}>
            Remove the key from the code
          </Button>
        }
      />
    </div>
  )
}
