export function OrdersChapter() {
  return (
    <>
      <p>
        A waiting order trades for you when the price reaches yours. On a token’s page, choose <em>Limit</em> or{' '}
        <em>Stop</em> instead of <em>Market</em>. Then go outside, where the real moon is.
      </p>
      <ul className="bullets">
        <li>
          <strong>A limit buy</strong> buys at your price or below.
        </li>
        <li>
          <strong>A limit sell</strong> sells at your price or above.
        </li>
        <li>
          <strong>A stop</strong> sells when the price falls to a price that you choose. It sells at most 10% below your
          price. If the price falls further, the rest waits. Tick <em>Sell at any price</em> if you just want out.
        </li>
        <li>
          <strong>A bracket</strong> is a stop with a target for the same tokens. If the price reaches one of the two,
          your tokens are sold. The other one then ends.
        </li>
      </ul>
      <p>
        An order fills right after the trade that reaches its price. It can also fill in parts. While an order waits,
        your SOL and tokens stay free. If two of your orders need the same SOL, the first order to fill uses it. An
        order expires after the time that you choose, at most 30 days. You can have 50 waiting orders.
      </p>
      <p>
        <strong>Did my order go through?</strong> Sometimes the connection breaks before you get a response. Then press
        the same button again without changing the amount. The same order never goes through twice. If you change the
        amount, you place a new order, and both orders can go through.
      </p>
    </>
  )
}
