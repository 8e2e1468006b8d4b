import { chapters } from 'virtual:guide'
import type { SlotName } from '@papermoon/guide'
import { type ReactNode, useMemo, useState } from 'react'
import { Button, ButtonLink } from '../../components/form/button.tsx'
import { SecretStub } from '../../components/form/secret-stub.tsx'
import { ChapterPage } from '../../components/layout/chapter-page.tsx'
import { useCurrentUser } from '../../lib/api/current-user.ts'
import { useTitle } from '../../lib/hooks/use-title.ts'
import { StreamConsole } from './console/stream-console.tsx'
import { FillingProvider } from './filling.ts'
import { GuideBlock } from './guide-block.tsx'
import { Limits } from './limits.tsx'

interface DevelopersScreenProps {
  /**
   * Renders the form for a new key. If `isBack` is true, the player has just finished with an earlier key, and the form
   * takes the focus.
   */
  readonly renderKeyForm: (onMade: (made: MadeKey) => void, isBack: boolean) => ReactNode
  /** The player's keys and webhooks, and the switch that declares the account as a bot. */
  readonly keys: ReactNode
  readonly bot: ReactNode
  readonly webhooks: ReactNode
}

/** The guide for people who write programs. A key that is created here exists only in this component's memory. */
export function DevelopersScreen({ renderKeyForm, keys, bot, webhooks }: DevelopersScreenProps) {
  const isPlayer = useCurrentUser() !== null
  const [made, setMade] = useState<MadeKey | null>(null)
  const [isBack, setBack] = useState(false)
  const filling = useMemo(() => ({ url: window.location.origin, key: made?.key }), [made])
  useTitle('Developers')
  const forget = () => {
    setMade(null)
    setBack(true)
  }
  const slots: Readonly<Record<SlotName, ReactNode>> = {
    key: isPlayer ? (
      <KeySlot made={made} form={renderKeyForm(setMade, isBack)} keys={keys} onForget={forget} />
    ) : (
      <GuestNote />
    ),
    bot: isPlayer && <div className="my-l">{bot}</div>,
    webhooks: isPlayer && <div className="my-l">{webhooks}</div>,
    limits: <Limits />,
    console: <StreamConsole />,
  }
  return (
    <FillingProvider value={filling}>
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
    </FillingProvider>
  )
}

interface MadeKey {
  readonly name: string
  readonly key: string
}

interface KeySlotProps {
  readonly made: MadeKey | null
  readonly form: ReactNode
  readonly keys: ReactNode
  readonly onForget: () => void
}

/** Lets a player create an API key, which then appears in the guide's code, and lists the player's keys. */
function KeySlot({ made, form, keys, onForget }: KeySlotProps) {
  return (
    <section className="card my-l stack gap-l text-m pretty" aria-label="API keys">
      {made === null ? (
        <>
          <p className="dim">
            A key that you create here appears in all code on this page until you leave the page. You can have at most
            ten keys.
          </p>
          {form}
        </>
      ) : (
        <FilledIn made={made} onForget={onForget} />
      )}
      {keys}
    </section>
  )
}

/** A button that sends a guest to registration and then back to this page. */
function GuestNote() {
  const back = { authTab: 'register', returnTo: '/developers' } as const
  return (
    <section className="card my-l stack gap-l text-m pretty" aria-label="API keys">
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
    <SecretStub
      label={`New key: ${name}`}
      title={name}
      note="Your key is in all code on this page until you leave. Copy the key now, because we show it only once."
      text={key}
      copied={['API key copied to clipboard', 'Please select the key and copy it.']}
      copyLabel="Copy key"
      actions={
        <Button look="quiet" onClick={onForget}>
          Remove the key from the code
        </Button>
      }
    />
  )
}
