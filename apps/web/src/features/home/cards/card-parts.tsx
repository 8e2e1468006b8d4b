export { StarButton } from '../../../components/tokens/star-button.tsx'
export { CardFacts } from './card-facts.tsx'
export { CardLine } from './card-line.tsx'
