/** Where the sun stands, by the low-precision formulas of the Astronomical Almanac; good to some minutes. */

const DAY_MS = 86_400_000;
/** 1 January 2000, 12:00 UTC. */
const J2000_MS = 946_728_000_000;
/** Refraction and the sun's own radius let it appear when its centre is this far below the horizon. */
const HORIZON_DEGREES = -0.833;

const sine = (degrees: number): number => Math.sin((degrees * Math.PI) / 180);
const cosine = (degrees: number): number => Math.cos((degrees * Math.PI) / 180);
const degreesOf = (radians: number): number => (radians * 180) / Math.PI;

/** The sun's height above the horizon in degrees. */
export function sunHeight(latitude: number, longitude: number, time: number): number {
  const { declination, noonMs } = solarDay(longitude, time);
  const hourAngle = ((time - noonMs) / DAY_MS) * 360;
  return degreesOf(
    Math.asin(
      sine(latitude) * sine(declination) + cosine(latitude) * cosine(declination) * cosine(hourAngle),
    ),
  );
}

/** When the sun rises and sets around its noon nearest to a time; null where it does not. */
export function sunTimes(
  latitude: number,
  longitude: number,
  time: number,
): { sunrise: number; sunset: number } | null {
  const { declination, noonMs } = solarDay(longitude, time);
  const cosineOfHalfDay =
    (sine(HORIZON_DEGREES) - sine(latitude) * sine(declination)) / (cosine(latitude) * cosine(declination));
  if (Math.abs(cosineOfHalfDay) > 1) return null;
  const halfDayMs = (degreesOf(Math.acos(cosineOfHalfDay)) / 360) * DAY_MS;
  return { sunrise: noonMs - halfDayMs, sunset: noonMs + halfDayMs };
}

/** The sun's declination in degrees, and when it stands highest, on the solar day that a time belongs to. */
function solarDay(longitude: number, time: number): { declination: number; noonMs: number } {
  const day = Math.round((time - J2000_MS) / DAY_MS + longitude / 360);
  const meanAnomaly = 357.529 + 0.98560028 * day;
  const meanLongitude = 280.459 + 0.98564736 * day;
  const eclipticLongitude = meanLongitude + 1.915 * sine(meanAnomaly) + 0.02 * sine(2 * meanAnomaly);
  const declination = degreesOf(Math.asin(0.39779 * sine(eclipticLongitude)));
  const equationOfTimeDays = 0.0053 * sine(meanAnomaly) - 0.0069 * sine(2 * eclipticLongitude);
  return { declination, noonMs: J2000_MS + (day - longitude / 360 + equationOfTimeDays) * DAY_MS };
}
