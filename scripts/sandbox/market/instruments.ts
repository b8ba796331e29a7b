import { decimalText } from "./decimal.ts";

export type InstrumentType = "stock" | "indices" | "crypto" | "forex" | "futures";
export type MarketName = "GLOBAL" | "US" | "HK" | "CN";

/** What all instruments of one class have in common. */
interface InstrumentClass {
  type: InstrumentType;
  market: MarketName;
  /** Decimals of a price. */
  priceDecimals: number;
  /** Smallest step of a price, in units of its last decimal. */
  tick: number;
  /** Decimals of a quantity. */
  quantityDecimals: number;
  /** Typical size of a day's move, as a fraction of the price. */
  volatility: number;
  /** Levels of the order book; 0 where there is neither a book nor a record of trades. */
  depthLevels: number;
  /** Whether somebody quotes a bid and an ask; indices are only computed. */
  quoted: boolean;
}

export interface Instrument extends InstrumentClass {
  symbol: string;
  name: string;
  currency: string;
  /** The price around which it wanders, in ticks. */
  typicalPrice: number;
  /** Typical volume of one day, in units of the quantity's last decimal. */
  dailyVolume: number;
}

const stock = {
  type: "stock",
  priceDecimals: 2,
  tick: 1,
  quantityDecimals: 0,
  volatility: 0.015,
  quoted: true,
} as const;
const spot = {
  type: "forex",
  market: "GLOBAL",
  tick: 1,
  quantityDecimals: 0,
  depthLevels: 0,
  quoted: true,
} as const;

const classes = {
  usStock: { ...stock, market: "US", depthLevels: 1 },
  hkStock: { ...stock, market: "HK", priceDecimals: 1, depthLevels: 10 },
  cnStock: { ...stock, market: "CN", depthLevels: 5 },
  coin: {
    ...stock,
    type: "crypto",
    market: "GLOBAL",
    quantityDecimals: 5,
    volatility: 0.025,
    depthLevels: 10,
  },
  currency: { ...spot, priceDecimals: 5, volatility: 0.004 },
  yen: { ...spot, priceDecimals: 3, volatility: 0.005 },
  metal: { ...spot, priceDecimals: 2, volatility: 0.01 },
  index: { ...spot, type: "indices", priceDecimals: 2, volatility: 0.008, quoted: false },
} as const satisfies Record<string, InstrumentClass>;

/** Class, symbol, name, currency, typical price and typical volume of a day. */
type Row = [keyof typeof classes, string, string, string, number, number];

const rows: readonly Row[] = [
  ["usStock", "NVDA.US", "NVIDIA Corporation", "USD", 180, 180_000_000],
  ["usStock", "AAPL.US", "Apple Inc.", "USD", 260, 45_000_000],
  ["usStock", "TSLA.US", "Tesla, Inc.", "USD", 400, 80_000_000],
  ["usStock", "MSFT.US", "Microsoft Corporation", "USD", 480, 22_000_000],
  ["usStock", "AMD.US", "Advanced Micro Devices, Inc.", "USD", 210, 40_000_000],
  ["hkStock", "700.HK", "腾讯控股", "HKD", 545, 16_000_000],
  ["hkStock", "9988.HK", "阿里巴巴-W", "HKD", 150, 70_000_000],
  ["hkStock", "3690.HK", "美团-W", "HKD", 100, 35_000_000],
  ["cnStock", "600519.SH", "贵州茅台", "CNY", 1_400, 3_000_000],
  ["cnStock", "000001.SZ", "平安银行", "CNY", 11.5, 80_000_000],
  ["coin", "BTC.USDT", "Bitcoin / Tether", "USDT", 70_000, 24_000],
  ["coin", "ETH.USDT", "Ethereum / Tether", "USDT", 2_600, 400_000],
  ["coin", "SOL.USDT", "Solana / Tether", "USDT", 110, 4_000_000],
  ["currency", "EURUSD.FX", "Euro / US Dollar", "USD", 1.15, 300_000],
  ["currency", "GBPUSD.FX", "British Pound / US Dollar", "USD", 1.34, 250_000],
  ["currency", "USDCNH.FX", "US Dollar / Offshore Renminbi", "CNH", 7.0, 150_000],
  ["yen", "USDJPY.FX", "US Dollar / Japanese Yen", "JPY", 155, 280_000],
  ["metal", "XAUUSD.METAL", "Gold / US Dollar", "USD", 5_100, 200_000],
  ["metal", "XAGUSD.METAL", "Silver / US Dollar", "USD", 85, 150_000],
  ["index", "SPX.IDX", "S&P 500", "USD", 6_700, 3_000_000_000],
  ["index", "NDX.IDX", "Nasdaq-100", "USD", 24_500, 1_200_000_000],
  ["index", "HSI.IDX", "恒生指数", "HKD", 25_500, 9_000_000_000],
];

/** Everything that is traded here, in the order in which it is listed. */
export const instruments: readonly Instrument[] = rows.map(
  ([className, symbol, name, currency, price, dailyVolume]) => {
    const shared = classes[className];
    return {
      ...shared,
      symbol,
      name,
      currency,
      typicalPrice: Math.round((price * 10 ** shared.priceDecimals) / shared.tick),
      dailyVolume: Math.round(dailyVolume * 10 ** shared.quantityDecimals),
    };
  },
);

const bySymbol = new Map(instruments.map((instrument) => [instrument.symbol, instrument]));

/** The instrument of a symbol. Hong Kong codes are known with and without leading zeros: `700.HK`, `00700.HK`. */
export function findInstrument(symbol: string): Instrument | undefined {
  return bySymbol.get(symbol) ?? bySymbol.get(symbol.replace(/^0+(?=\d+\.HK$)/, ""));
}

/** Ticks as a price. */
export function priceText({ tick, priceDecimals }: Instrument, ticks: number): string {
  return decimalText(ticks * tick, priceDecimals);
}

/** Units as a quantity. */
export function quantityText({ quantityDecimals }: Instrument, units: number): string {
  return decimalText(units, quantityDecimals);
}

/** What a quantity costs at a price in ticks, rounded to hundredths of the currency. */
export function amountText(instrument: Instrument, units: number, ticks: number): string {
  const price = (ticks * instrument.tick) / 10 ** instrument.priceDecimals;
  const quantity = units / 10 ** instrument.quantityDecimals;
  return decimalText(Math.round(price * quantity * 100), 2);
}
