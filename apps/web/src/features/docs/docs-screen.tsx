import { Link } from '@tanstack/react-router'
import { ButtonLink } from '../../components/form/button.tsx'
import { ChapterPage } from '../../components/layout/chapter-page.tsx'
import { trpc } from '../../lib/api/api.ts'
import { useCurrentUser } from '../../lib/api/current-user.ts'
import { useTitle } from '../../lib/hooks/use-title.ts'
import { FairsChapter } from './fairs-chapter.tsx'
import { Faq } from './faq.tsx'
import { Glossary } from './glossary.tsx'
import { HowToPlay } from './how-to-play.tsx'
import { OrdersChapter } from './orders-chapter.tsx'
import { PastimesChapter } from './pastimes-chapter.tsx'
import { SealsChapter } from './seals-chapter.tsx'

const NUMBERS = [
  ['You start with', '100 SOL'],
  ['A launch costs', '0.02 SOL'],
  ['Supply of every token', '1,000,000,000'],
  ['Price at launch', '0.00000003 SOL'],
  ['Market cap at launch', '$6,000'],
  ['Trading fee', '0.3%'],
  ['A SOL counts as', '$200'],
] as const

function Machinery() {
  return (
    <>
      <p>
        A formula sets the price of each token. Every token has a pool with two piles, one of SOL and one of tokens, and
        one rule: <em>x × y = k</em>. If you multiply the two piles, the product may never fall. When you buy tokens,
        their pile shrinks and the SOL pile grows, so the next token costs more. When you sell, the film runs backwards.
      </p>
      <p>
        At launch, the pool contains the whole supply and 30 <em>virtual</em> SOL. The virtual SOL sets the first price,
        and nobody can ever take it out. The pool can pay out exactly the SOL that players really put in. Our server
        carries out all trades in one order, without a blockchain, and rounds in favour of the pool.
      </p>
      <p>
        Small pools are bouncy: a buy of 5 SOL moves the price of a new token by about a third. This is not a bug, this
        is the Ferris wheel.
      </p>
      <p>
        You need not believe any of this. The <Link to="/proof">proof page</Link> shows who holds all SOL, to the last
        lamport. There, your own browser verifies that nobody has changed an old trade, not even we.
      </p>
      <dl className="pairs ruled mt-l">
        {NUMBERS.map(([name, value]) => (
          <div key={name} className="flex gap-l between py-s">
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </>
  )
}

const CHAPTERS = [
  { id: 'how-to-play', title: 'How to play', Chapter: HowToPlay },
  { id: 'machinery', title: 'How the market works', Chapter: Machinery },
  { id: 'orders', title: 'Limit and stop orders', Chapter: OrdersChapter },
  { id: 'fair-play', title: 'Winning', Chapter: FairPlay },
  { id: 'fairs', title: 'Fairs and the bell', Chapter: FairsChapter },
  { id: 'seals', title: 'Seals and courts', Chapter: SealsChapter },
  { id: 'pastimes', title: 'Tape and stickers', Chapter: PastimesChapter },
  { id: 'risks', title: 'Risk disclosure', Chapter: Risks },
  { id: 'terms', title: 'Terms', Chapter: Terms },
  { id: 'faq', title: 'Questions and answers', Chapter: Faq },
  { id: 'glossary', title: 'Glossary', Chapter: Glossary },
  { id: 'community', title: 'Community', Chapter: Community },
] as const

const LEAD =
  'Papermoon is a simulation. It has no real SOL, no blockchain, no wallet to connect and nobody’s rent money. ' +
  'It does have a market, and the market is as merciless as the real ones. Welcome.'

export function DocsScreen() {
  const user = useCurrentUser()
  useTitle('Docs')
  return (
    <ChapterPage
      title="The docs"
      lead={LEAD}
      chapters={CHAPTERS.map(({ id, title, Chapter }) => ({ id, title, content: <Chapter /> }))}
    >
      <p className="mt-xl">
        Would you rather let a program play? <Link to="/developers">Developers start here.</Link>
      </p>
      <p className="mt-xl">
        {user === null ? (
          <ButtonLink to="/auth" state={{ authTab: 'register' }} tall>
            Get 100 SOL to play
          </ButtonLink>
        ) : (
          <ButtonLink to="/" tall>
            Back to the fairground
          </ButtonLink>
        )}
      </p>
    </ChapterPage>
  )
}

function Community() {
  const href = trpc.site.settings.useQuery().data?.communityUrl
  if (href?.startsWith('http') === false) {
    return (
      <p>
        Players talk on each token’s page and in every fair. To play with your friends,{' '}
        <Link to="/fairs/{-$id}" search={{ make: 'room' }}>
          make a room
        </Link>{' '}
        and send them its link.
      </p>
    )
  }
  return (
    <p>
      Players brag, mourn and hear about giveaways in the{' '}
      {href === undefined ? (
        'community chat'
      ) : (
        <a href={href} target="_blank" rel="noopener noreferrer">
          community chat<span className="visually-hidden"> (opens in a new tab)</span>
        </a>
      )}
      . We will never ask for your password there. Anyone who does is not from here.
    </p>
  )
}

function FairPlay() {
  return (
    <>
      <p>
        The leaderboard shows the top 3 winners by total profit and loss over the last 6 hours. To get ranked, you must
        make a profit with trades of the last 6 hours. It does not help to buy your own token until the chart looks
        heroic. Many have tried. We count your profit like this:
      </p>
      <ul className="bullets">
        <li>We add the SOL that you received for sales and subtract the SOL that you paid for buys.</li>
        <li>
          Tokens that you bought in these 6 hours and still hold count with the SOL that selling them now would pay, but
          at most with the SOL that you paid. To count a gain, sell.
        </li>
        <li>
          Tokens that you bought earlier count when you sell them, with the change of their value in these 6 hours.
        </li>
        <li>Rug pulls and launch fees do not count, because one friend with a full wallet could pay for a rug pull.</li>
        <li>Bots have a separate ranking, and suspended players have no rank.</li>
      </ul>
      <p>
        Winners are promised giveaway rewards, which are sent to the wallet address they registered with. The rewards go
        to the winners of fixed six-hour windows, which start at 00, 06, 12 and 18 h UTC. You get no reward if your
        account is younger than a day, or if it shares a wallet or browser with an older account. Your wallet address is
        the only thing here that touches the real world, so check it twice. Never type a seed phrase anywhere on this
        site. We do not need it. Nobody ever does.
      </p>
      <p>
        Your portfolio shows what you hold, what it cost and what it is worth. Are you broke? It happens to the best. A
        broke account may be reset to get back to 100 SOL. The shame is not reset.
      </p>
    </>
  )
}

function Terms() {
  return (
    <ol className="bullets">
      <li>
        Papermoon is a game. Its tokens, SOL, prices and profits are simulated and have no value outside the game.
      </li>
      <li>Nothing here is investment advice. Some of it is barely advice.</li>
      <li>
        You can neither deposit nor withdraw money. If a site that looks like this one asks you for real money, close
        it.
      </li>
      <li>
        Each player may have one account. Giveaways go to people, not to their eleven cousins at the same keyboard.
      </li>
      <li>Everyone can see names and pictures. Keep them fit for a fairground with children on it.</li>
      <li>Programs may also play, through the API and by the same rules and limits as everyone else.</li>
      <li>The fairground may close, move or be repainted. Balances may be reset. It was only paper.</li>
    </ol>
  )
}

function Risks() {
  return (
    <>
      <p>If you trade simulated meme tokens, you face these risks:</p>
      <ul className="bullets">
        <li>
          <strong>Total loss.</strong> You can lose all the money that you never had.
        </li>
        <li>
          <strong>Rug pulls.</strong> Unless a token is sealed, its creator can take all real SOL out of the pool and
          close the token for ever. Then the price is exactly zero, and so is the sympathy. Before you buy, check the
          seal, the list of holders and your own good sense.
        </li>
        <li>
          <strong>Slippage.</strong> The price can move before your order arrives, because someone was faster. The panel
          never buys at a worse price than your setting allows, but it cannot make you faster.
        </li>
        <li>
          <strong>Price impact.</strong> Your own order moves the price. The larger the order, the worse the price.
        </li>
        <li>
          <strong>Sleep.</strong> The market trades day and night. You should not.
        </li>
        <li>
          <strong>Overconfidence.</strong> Success in this game says nothing about success with real money. Please read
          this sentence again after your first winning day.
        </li>
      </ul>
    </>
  )
}
