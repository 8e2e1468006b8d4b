import { ButtonLink } from '../../components/form/button.tsx'
import { PageHead } from '../../components/layout/page-head.tsx'

export function PortfolioHead() {
  return (
    <PageHead title="Portfolio" lead="Everything you hold: its market value, and what selling would really pay.">
      <ButtonLink to="/dashboard" look="quiet">
        Dashboard
      </ButtonLink>
    </PageHead>
  )
}

export function DashboardHead({ userId }: { userId: number }) {
  return (
    <PageHead title="Dashboard" lead="What you won, what you hold and what you launched.">
      <ButtonLink to="/portfolio" look="quiet">
        Portfolio
      </ButtonLink>
      <ButtonLink to="/user/$id" params={{ id: String(userId) }} look="quiet">
        Public profile
      </ButtonLink>
    </PageHead>
  )
}
