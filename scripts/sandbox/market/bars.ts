/**
 * The path of one price. A day is drawn first, as a bar with an open, a high, a low, a close and a volume; it is
 * then divided into shorter bars, which meet end to end, reach exactly its high and its low and share out its
 * volume, and so on down to the second. Bars of every length therefore agree with each other by construction,
 * and any of them is found without drawing what came before.
 */
import type { Instrument } from "./instruments.ts";
import { coordinateOf, type Random, randomAt } from "./random.ts";

/** Times in seconds since the epoch, prices in ticks, volume in units of the quantity's last decimal. */
export interface Bar {
  start: number;
  duration: number;
  open: number;
  high: number;
  low: number;
  close: number;
  volume: number;
}

export interface PricePath {
  /** The bar from one second to a later one. */
  between(start: number, end: number): Bar;
  /** The 60 seconds of the minute that begins at a second. */
  seconds(minute: number): Bar[];
}

const DAY = 86_400;

/** Each divides the one before it. */
const DURATIONS = [DAY, 14_400, 7_200, 3_600, 1_800, 900, 300, 60, 1];
const partDurations = new Map(DURATIONS.map((duration, index) => [duration, DURATIONS[index + 1]]));

/** Octaves of the noise from day to day; the slowest turns about every four months. */
const OCTAVES = 8;

export function pricePath(seed: number, instrument: Instrument): PricePath {
  const key = coordinateOf(instrument.symbol);

  function openOfDay(day: number): number {
    const drift = instrument.volatility * wander(seed, key, day);
    return instrument.typicalPrice * Math.exp(drift);
  }

  function dayBar(day: number): Bar {
    const random = randomAt(seed, key, DAY, day);
    const open = openOfDay(day);
    const close = openOfDay(day + 1);
    const reach = instrument.typicalPrice * instrument.volatility;
    const high = Math.max(open, close) + reach * random();
    const low = Math.max(1, Math.min(open, close) - reach * random());
    const volume = Math.round(instrument.dailyVolume * (0.6 + 0.8 * random()));
    return { start: day * DAY, duration: DAY, open, high, low, close, volume };
  }

  function divide(bar: Bar): Bar[] {
    const duration = partDurations.get(bar.duration);
    if (duration === undefined) return [bar];
    return divided(bar, duration, randomAt(seed, key, duration, bar.start));
  }

  function within(bar: Bar, start: number, end: number): Bar[] {
    const barEnd = bar.start + bar.duration;
    if (barEnd <= start || bar.start >= end) return [];
    if (bar.start >= start && barEnd <= end) return [bar];
    return divide(bar).flatMap((part) => within(part, start, end));
  }

  function between(start: number, end: number): Bar {
    const firstDay = Math.floor(start / DAY);
    const days = Array.from({ length: Math.ceil(end / DAY) - firstDay }, (_, index) =>
      dayBar(firstDay + index),
    );
    return days.flatMap((day) => within(day, start, end)).reduce(joined);
  }

  return {
    between: (start, end) => inTicks(between(start, end)),
    seconds: (minute) => divide(between(minute, minute + 60)).map(inTicks),
  };
}

/**
 * Fractal noise over days, in multiples of a day's volatility: smooth noise of twice the period has √2 times the
 * size, as a random walk has, yet the sum is bounded, so prices stay near what people expect them to be.
 */
function wander(seed: number, key: number, day: number): number {
  let sum = 0;
  for (let octave = 0; octave < OCTAVES; octave += 1) {
    const position = day / 2 ** octave;
    const from = Math.floor(position);
    const [left, right] = [from, from + 1].map((index) => 2 * randomAt(seed, key, octave, index)() - 1);
    const way = position - from;
    sum += mean(left ?? 0, right ?? 0, way * way * (3 - 2 * way)) * 2 ** (octave / 2);
  }
  return 0.8 * sum;
}

function mean(left: number, right: number, weight: number): number {
  return left + (right - left) * weight;
}

function divided(bar: Bar, duration: number, random: Random): Bar[] {
  const count = bar.duration / duration;
  const prices = bridge(bar, count, random);
  const parts = shares(bar.volume, count, random).map((volume, index) => {
    const open = prices[index] ?? bar.open;
    const close = prices[index + 1] ?? bar.close;
    const top = Math.max(open, close);
    const bottom = Math.min(open, close);
    const high = top + (bar.high - top) * excursion(random);
    const low = bottom - (bottom - bar.low) * excursion(random);
    return { start: bar.start + index * duration, duration, open, high, low, close, volume };
  });
  parts.reduce((highest, part) => (part.high > highest.high ? part : highest)).high = bar.high;
  parts.reduce((lowest, part) => (part.low < lowest.low ? part : lowest)).low = bar.low;
  return parts;
}

/**
 * How far a part reaches beyond its open and close, as a fraction of the room that the whole leaves it. Without
 * the constant, quiet parts would have ever quieter parts, and prices would stand still for minutes.
 */
function excursion(random: Random): number {
  return 0.15 + 0.3 * random();
}

/** `count + 1` prices from a bar's open to its close: a random walk, tied down at both ends and kept in range. */
function bridge(bar: Bar, count: number, random: Random): number[] {
  const stride = (1.5 * (bar.high - bar.low)) / Math.sqrt(count);
  const walk = [0];
  for (let step = 1; step <= count; step += 1) walk.push((walk[step - 1] ?? 0) + (2 * random() - 1) * stride);
  const miss = (walk[count] ?? 0) - (bar.close - bar.open);
  return walk.map((distance, step) => {
    const price = step === count ? bar.close : bar.open + distance - (miss * step) / count;
    return Math.min(bar.high, Math.max(bar.low, price));
  });
}

/** Shares out a whole number in whole parts that add up to it. */
export function shares(total: number, count: number, random: Random): number[] {
  const weights = Array.from({ length: count }, () => 0.5 + random());
  const sum = weights.reduce((left, right) => left + right);
  let weighed = 0;
  let given = 0;
  return weights.map((weight, index) => {
    weighed += weight;
    const upToHere = index === count - 1 ? total : Math.floor((total * weighed) / sum);
    const share = upToHere - given;
    given = upToHere;
    return share;
  });
}

/**
 * A bar as the outside sees it. Inside, prices are not rounded, or a price that stands still for a second would
 * stand still for ever; rounding keeps order, so all that holds between bars holds between rounded ones.
 */
function inTicks(bar: Bar): Bar {
  return {
    ...bar,
    open: Math.round(bar.open),
    high: Math.round(bar.high),
    low: Math.round(bar.low),
    close: Math.round(bar.close),
  };
}

function joined(left: Bar, right: Bar): Bar {
  return {
    start: left.start,
    duration: left.duration + right.duration,
    open: left.open,
    high: Math.max(left.high, right.high),
    low: Math.min(left.low, right.low),
    close: right.close,
    volume: left.volume + right.volume,
  };
}
