import { Link } from '@tanstack/react-router'
import type { Fair } from '../../lib/api/api.ts'

export function FairLink({ fair }: { fair: Pick<Fair, 'id' | 'name'> }) {
  return (
    <Link
      to="/fairs/{-$id}"
      params={{ id: String(fair.id) }}
      className="bold bare hover-underlined cut"
      title={fair.name}
    >
      {fair.name}
    </Link>
  )
}
