import { Link } from '@tanstack/react-router'
import { ButtonLink } from '../../components/form/button.tsx'
import { ChapterPage } from '../../components/layout/chapter-page.tsx'
import { trpc } from '../../lib/api/api.ts'
import { useCurrentUser } from '../../lib/api/current-user.ts'
import { useTitle } from '../../lib/hooks/use-title.ts'
import classes from './docs-screen.module.css'
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
        Nobody sets a price here. Every token has a pool with two piles in it, SOL and tokens, and one rule:{' '}
        <em>x × y = k</em>. Multiply the piles and the product may never fall. Buy tokens and their pile shrinks, so the
        SOL pile has to grow, so the next token costs more. Sell and the film runs backwards.
      </p>
      <p>
        At launch all of the supply lies in the pool beside 30 <em>virtual</em> SOL. They are painted on: they give the
        first price, and nobody can ever take them out. What can be paid out is what players really put in, to the last
        lamport. All trades are worked out on our server in one exact order, off any chain, in decimal numbers that are
        rounded in nobody’s favour but the pool’s.
      </p>
      <p>
        That makes small pools bouncy. A 5 SOL buy moves a fresh token by about a third. This is not a bug, this is the
        Ferris wheel.
      </p>
      <p>
        You need not believe any of this. On the <Link to="/proof">proof page</Link> you can see where all SOL is, to
        the last lamport, and your own browser verifies that nobody changed an old trade, us included.
      </p>
      <dl className={classes.numbers}>
        {NUMBERS.map(([name, value]) => (
          <div key={name}>
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
  { id: 'machinery', title: 'Behind the curtain', Chapter: Machinery },
  { id: 'orders', title: 'Orders that wait', Chapter: OrdersChapter },
  { id: 'fair-play', title: 'Winning', Chapter: FairPlay },
  { id: 'fairs', title: 'Fairs and the bell', Chapter: FairsChapter },
  { id: 'seals', title: 'Seals and courts', Chapter: SealsChapter },
  { id: 'pastimes', title: 'Tape and stickers', Chapter: PastimesChapter },
  { id: 'risks', title: 'Risk disclosure', Chapter: Risks },
  { id: 'terms', title: 'Terms', Chapter: Terms },
  { id: 'faq', title: 'Questions people ask', Chapter: Faq },
  { id: 'glossary', title: 'Glossary', Chapter: Glossary },
  { id: 'community', title: 'Community', Chapter: Community },
] as const

const LEAD =
  'Papermoon is a simulation. There is no real SOL in it, no blockchain, no wallet to connect and nobody’s rent money. ' +
  'There is a market, though, and it is as merciless as the real ones. Welcome.'

export function DocsScreen() {
  const user = useCurrentUser()
  useTitle('Docs')
  return (
    <ChapterPage
      title="The docs"
      lead={LEAD}
      chapters={CHAPTERS.map(({ id, title, Chapter }) => ({ id, title, content: <Chapter /> }))}
    >
      <p className={classes.programs}>
        Would you rather send a program? <Link to="/developers">Developers start here.</Link>
      </p>
      <p className={classes.end}>
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
  if (href?.startsWith('http') === false) return <p>This site has no community chat yet. Talk below each token.</p>
  return (
    <p>
      Bragging, mourning and the announcement of giveaways happen in the{' '}
      {href === undefined ? (
        'community chat'
      ) : (
        <a href={href} target="_blank" rel="noopener noreferrer">
          community chat<span className="visually-hidden"> (opens in a new tab)</span>
        </a>
      )}
      . Nobody there will ever ask for your password, and if someone does, they are not from here.
    </p>
  )
}

function FairPlay() {
  return (
    <>
      <p>
        The leaderboard shows the top 3 winners by total profit and loss over the last 6 hours. To get ranked, make a
        profit with trades of these 6 hours. Buying your own token until the chart looks heroic does not help. Many have
        tried. This is how we count:
      </p>
      <ul className="bullets">
        <li>What you received for your sales counts, less what you paid for your buys.</li>
        <li>
          Tokens that you bought in these 6 hours and still hold count at what selling them would pay now, but never
          above what you paid. To count a gain, sell.
        </li>
        <li>
          Tokens that you bought earlier count when you sell them, by how much their value has changed in these 6 hours.
        </li>
        <li>Rug pulls and launch fees do not count. One friend with a full wallet could pay for those.</li>
        <li>Bots have a league of their own, and suspended players have no rank.</li>
      </ul>
      <p>
        Winners are promised giveaway rewards, sent to the wallet address they registered with. They go to the winners
        of fixed six-hour windows, which start at 00, 06, 12 and 18 h UTC. Accounts younger than a day, and accounts
        that share a wallet or a browser with an older one, get none. Your wallet address is the only thing here that
        touches the real world, so check it twice and never type a seed phrase anywhere on this site. We do not need it.
        Nobody ever does.
      </p>
      <p>
        Your portfolio keeps score of what you hold, what it cost and what it is worth. Went broke? It happens to the
        best. A broke account may be reset to get back to 100 SOL. The shame is not reset.
      </p>
    </>
  )
}

function Terms() {
  return (
    <ol className="bullets">
      <li>Papermoon is a game. Tokens, SOL, prices and profits in it are simulated and have no value outside.</li>
      <li>Nothing here is investment advice. Some of it is barely advice.</li>
      <li>
        Nothing can be deposited and nothing can be withdrawn. If a site that looks like this one asks you for real
        money, close it.
      </li>
      <li>One player, one account. Giveaways go to people, not to their eleven cousins at the same keyboard.</li>
      <li>Names and pictures are for everyone to see. Keep them fit for a fairground with children on it.</li>
      <li>Programs may play too, through the API, by the same rules and limits as everyone else.</li>
      <li>The fairground may close, move or be repainted. Balances may be reset. It was only paper.</li>
    </ol>
  )
}

function Risks() {
  return (
    <>
      <p>Trading simulated meme tokens carries risks, among them:</p>
      <ul className="bullets">
        <li>
          <strong>Total loss</strong> of money that you never had.
        </li>
        <li>
          <strong>Rug pulls.</strong> A creator can drain the pool’s real SOL once and close the token for good. The
          price is then exactly zero, and so is the sympathy. The holders list and your own good sense are your only
          helmets.
        </li>
        <li>
          <strong>Slippage.</strong> Someone was faster. The panel refuses to buy worse than your setting, but it cannot
          make you faster.
        </li>
        <li>
          <strong>Price impact.</strong> That someone was you: your own order moved the price.
        </li>
        <li>
          <strong>Sleep.</strong> The market does not.
        </li>
        <li>
          <strong>Overconfidence.</strong> Being good at this says nothing about being good at the real thing. Please
          read that sentence again after your first winning day.
        </li>
      </ul>
    </>
  )
}
