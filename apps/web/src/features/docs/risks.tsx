import classes from './docs-screen.module.css'

export function Risks() {
  return (
    <>
      <p>Trading simulated meme tokens carries risks, among them:</p>
      <ul className={classes.list}>
        <li>
          <strong>Total loss</strong> of money that you never had.
        </li>
        <li>
          <strong>Rug pulls.</strong> A creator can drain the pool’s real SOL once and close the token for good. The
          price is then exactly zero, and so is the sympathy. The holders list and your own good sense are your only
          helmets.
        </li>
        <li>
          <strong>Slippage.</strong> Somebody was faster. The panel refuses to buy worse than your setting, but it
          cannot make you faster.
        </li>
        <li>
          <strong>Price impact.</strong> That somebody was you: your own order moved the price.
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
