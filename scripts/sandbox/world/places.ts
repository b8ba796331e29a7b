/** A place as GeoNames has it, by the names that it has in English and in Chinese. */
export interface Place {
  id: number;
  name: string;
  chineseName: string;
  region: string;
  chineseRegion: string;
  country: Country;
  /** Degrees north and east. */
  latitude: number;
  longitude: number;
  /** Metres above the sea. */
  elevation: number;
  population: number;
  /** IANA. */
  timezone: string;
  /** GeoNames's feature code: a capital, the seat of a region, or a populated place. */
  kind: "PPLC" | "PPLA" | "PPL";
}

interface Country {
  id: number;
  /** ISO 3166-1 alpha-2. */
  code: string;
  name: string;
  chineseName: string;
}

const countryRows: readonly [string, number, string, string][] = [
  ["AE", 290557, "United Arab Emirates", "阿联酋"],
  ["AR", 3865483, "Argentina", "阿根廷"],
  ["AT", 2782113, "Austria", "奥地利"],
  ["AU", 2077456, "Australia", "澳大利亚"],
  ["BR", 3469034, "Brazil", "巴西"],
  ["CA", 6251999, "Canada", "加拿大"],
  ["CH", 2658434, "Switzerland", "瑞士"],
  ["CN", 1814991, "China", "中国"],
  ["CZ", 3077311, "Czechia", "捷克"],
  ["DE", 2921044, "Germany", "德国"],
  ["DK", 2623032, "Denmark", "丹麦"],
  ["EG", 357994, "Egypt", "埃及"],
  ["ES", 2510769, "Spain", "西班牙"],
  ["FI", 660013, "Finland", "芬兰"],
  ["FR", 3017382, "France", "法国"],
  ["GB", 2635167, "United Kingdom", "英国"],
  ["GR", 390903, "Greece", "希腊"],
  ["HK", 1819730, "Hong Kong", "香港"],
  ["IN", 1269750, "India", "印度"],
  ["IS", 2629691, "Iceland", "冰岛"],
  ["IT", 3175395, "Italy", "意大利"],
  ["JP", 1861060, "Japan", "日本"],
  ["KE", 192950, "Kenya", "肯尼亚"],
  ["KR", 1835841, "South Korea", "韩国"],
  ["MO", 1821275, "Macao", "澳门"],
  ["MX", 3996063, "Mexico", "墨西哥"],
  ["NL", 2750405, "Netherlands", "荷兰"],
  ["NO", 3144096, "Norway", "挪威"],
  ["NZ", 2186224, "New Zealand", "新西兰"],
  ["PL", 798544, "Poland", "波兰"],
  ["PT", 2264397, "Portugal", "葡萄牙"],
  ["RU", 2017370, "Russia", "俄罗斯"],
  ["SE", 2661886, "Sweden", "瑞典"],
  ["SG", 1880251, "Singapore", "新加坡"],
  ["TH", 1605651, "Thailand", "泰国"],
  ["TR", 298795, "Türkiye", "土耳其"],
  ["TW", 1668284, "Taiwan", "台湾"],
  ["US", 6252001, "United States", "美国"],
  ["ZA", 953987, "South Africa", "南非"],
];

const countries = new Map(
  countryRows.map(([code, id, name, chineseName]) => [code, { id, code, name, chineseName }]),
);

/** Id, names, kind, country, region's names, latitude, longitude, elevation, population, time zone. */
type Row = [
  number,
  string,
  string,
  Place["kind"],
  string,
  string,
  string,
  number,
  number,
  number,
  number,
  string,
];

// biome-ignore format: a table has a row a line
const rows: readonly Row[] = [
  [1816670, "Beijing", "北京", "PPLC", "CN", "Beijing", "北京市", 39.9075, 116.39723, 49, 18960744, "Asia/Shanghai"],
  [1796236, "Shanghai", "上海", "PPLA", "CN", "Shanghai", "上海市", 31.22222, 121.45806, 12, 24874500, "Asia/Shanghai"],
  [1795565, "Shenzhen", "深圳", "PPLA", "CN", "Guangdong", "广东", 22.54554, 114.0683, 13, 17494398, "Asia/Shanghai"],
  [1809858, "Guangzhou", "广州", "PPLA", "CN", "Guangdong", "广东", 23.11667, 113.25, 15, 16096724, "Asia/Shanghai"],
  [1815286, "Chengdu", "成都", "PPLA", "CN", "Sichuan", "四川", 30.66667, 104.06667, 500, 13568357, "Asia/Shanghai"],
  [1814906, "Chongqing", "重庆", "PPLA", "CN", "Chongqing", "重庆市", 29.56026, 106.55771, 244, 7457600, "Asia/Shanghai"],
  [1808926, "Hangzhou", "杭州", "PPLA", "CN", "Zhejiang", "浙江", 30.29365, 120.16142, 12, 9236032, "Asia/Shanghai"],
  [1791247, "Wuhan", "武汉", "PPLA", "CN", "Hubei", "湖北", 30.58333, 114.26667, 37, 10392693, "Asia/Shanghai"],
  [1799962, "Nanjing", "南京", "PPLA", "CN", "Jiangsu", "江苏", 32.06167, 118.77778, 15, 9314685, "Asia/Shanghai"],
  [1790630, "Xi’an", "西安", "PPLA", "CN", "Shaanxi", "陕西", 34.25833, 108.92861, 405, 12952907, "Asia/Shanghai"],
  [1886760, "Suzhou", "苏州", "PPL", "CN", "Jiangsu", "江苏", 31.30408, 120.59538, 6, 6715559, "Asia/Shanghai"],
  [1792947, "Tianjin", "天津", "PPLA", "CN", "Tianjin", "天津市", 39.14222, 117.17667, 8, 11090314, "Asia/Shanghai"],
  [1790645, "Xiamen", "厦门", "PPL", "CN", "Fujian", "福建", 24.47979, 118.08187, 12, 4617251, "Asia/Shanghai"],
  [2037013, "Harbin", "哈尔滨", "PPLA", "CN", "Heilongjiang", "黑龙江", 45.75, 126.65, 150, 5242897, "Asia/Shanghai"],
  [1804651, "Kunming", "昆明", "PPLA", "CN", "Yunnan", "云南", 25.03889, 102.71833, 1891, 5273144, "Asia/Shanghai"],
  [1280737, "Lhasa", "拉萨", "PPLA", "CN", "Tibet", "西藏", 29.65, 91.1, 3650, 118721, "Asia/Shanghai"],
  [1529102, "Ürümqi", "乌鲁木齐", "PPLA", "CN", "Xinjiang", "新疆", 43.80096, 87.60046, 918, 4335017, "Asia/Urumqi"],
  [1819729, "Hong Kong", "香港", "PPLC", "HK", "", "", 22.27832, 114.17469, 47, 7491609, "Asia/Hong_Kong"],
  [1821274, "Macau", "澳门", "PPLC", "MO", "", "", 22.20056, 113.54611, 20, 649335, "Asia/Macau"],
  [1668341, "Taipei", "台北", "PPLC", "TW", "Taipei City", "台北市", 25.05306, 121.52639, 9, 7871900, "Asia/Taipei"],
  [1850147, "Tokyo", "东京", "PPLC", "JP", "Tokyo", "东京都", 35.6895, 139.69171, 44, 9733276, "Asia/Tokyo"],
  [1853909, "Osaka", "大阪", "PPLA", "JP", "Ōsaka", "大阪府", 34.69379, 135.50107, 19, 2753862, "Asia/Tokyo"],
  [1857910, "Kyoto", "京都", "PPLA", "JP", "Kyoto", "京都府", 35.02107, 135.75385, 54, 1463723, "Asia/Tokyo"],
  [1835848, "Seoul", "首尔", "PPLC", "KR", "Seoul", "首尔", 37.566, 126.9784, 38, 10349312, "Asia/Seoul"],
  [1880252, "Singapore", "新加坡", "PPLC", "SG", "", "", 1.28967, 103.85007, 23, 5638700, "Asia/Singapore"],
  [1609350, "Bangkok", "曼谷", "PPLC", "TH", "Bangkok", "曼谷", 13.75398, 100.50144, 12, 5104476, "Asia/Bangkok"],
  [1261481, "New Delhi", "新德里", "PPLC", "IN", "Delhi", "德里", 28.63576, 77.22445, 227, 317797, "Asia/Kolkata"],
  [1275339, "Mumbai", "孟买", "PPLA", "IN", "Maharashtra", "马哈拉施特拉邦", 19.07283, 72.88261, 14, 12691836, "Asia/Kolkata"],
  [292223, "Dubai", "迪拜", "PPLA", "AE", "Dubai", "迪拜", 25.07725, 55.30927, 24, 3790000, "Asia/Dubai"],
  [745044, "Istanbul", "伊斯坦布尔", "PPLA", "TR", "Istanbul", "伊斯坦布尔", 41.01384, 28.94966, 39, 15701602, "Europe/Istanbul"],
  [524901, "Moscow", "莫斯科", "PPLC", "RU", "Moscow", "莫斯科", 55.75222, 37.61556, 144, 10381222, "Europe/Moscow"],
  [2643743, "London", "伦敦", "PPLC", "GB", "England", "英格兰", 51.50853, -0.12574, 25, 8961989, "Europe/London"],
  [6058560, "London", "伦敦", "PPL", "CA", "Ontario", "安大略", 42.98339, -81.23304, 252, 422324, "America/Toronto"],
  [2988507, "Paris", "巴黎", "PPLC", "FR", "Île-de-France", "法兰西岛", 48.85341, 2.3488, 42, 2138551, "Europe/Paris"],
  [4717560, "Paris", "巴黎", "PPLA", "US", "Texas", "得克萨斯州", 33.66094, -95.55551, 183, 24782, "America/Chicago"],
  [2950159, "Berlin", "柏林", "PPLC", "DE", "State of Berlin", "柏林", 52.52437, 13.41053, 74, 3426354, "Europe/Berlin"],
  [2867714, "Munich", "慕尼黑", "PPLA", "DE", "Bavaria", "巴伐利亚", 48.13743, 11.57549, 524, 1260391, "Europe/Berlin"],
  [2911298, "Hamburg", "汉堡", "PPLA", "DE", "Hamburg", "汉堡", 53.55073, 9.99302, 6, 1739117, "Europe/Berlin"],
  [2925533, "Frankfurt am Main", "法兰克福", "PPL", "DE", "Hesse", "黑森", 50.11552, 8.68417, 112, 650000, "Europe/Berlin"],
  [2761369, "Vienna", "维也纳", "PPLC", "AT", "Vienna", "维也纳", 48.20849, 16.37208, 171, 1691468, "Europe/Vienna"],
  [2657896, "Zurich", "苏黎世", "PPLA", "CH", "Zurich", "苏黎世州", 47.36667, 8.55, 408, 341730, "Europe/Zurich"],
  [2660646, "Geneva", "日内瓦", "PPLA", "CH", "Geneva", "日内瓦州", 46.20222, 6.14569, 375, 183981, "Europe/Zurich"],
  [2759794, "Amsterdam", "阿姆斯特丹", "PPLC", "NL", "North Holland", "北荷兰", 52.37403, 4.88969, 13, 741636, "Europe/Amsterdam"],
  [2618425, "Copenhagen", "哥本哈根", "PPLC", "DK", "Capital Region", "首都大区", 55.67594, 12.56553, 14, 1153615, "Europe/Copenhagen"],
  [2673730, "Stockholm", "斯德哥尔摩", "PPLC", "SE", "Stockholm", "斯德哥尔摩省", 59.32938, 18.06871, 28, 1515017, "Europe/Stockholm"],
  [3143244, "Oslo", "奥斯陆", "PPLC", "NO", "Oslo", "奥斯陆", 59.91273, 10.74609, 26, 580000, "Europe/Oslo"],
  [658225, "Helsinki", "赫尔辛基", "PPLC", "FI", "Uusimaa", "新地", 60.16952, 24.93545, 26, 658864, "Europe/Helsinki"],
  [3413829, "Reykjavik", "雷克雅未克", "PPLC", "IS", "Capital Region", "首都区", 64.13548, -21.89541, 37, 118918, "Atlantic/Reykjavik"],
  [756135, "Warsaw", "华沙", "PPLC", "PL", "Mazovia", "马佐夫舍", 52.22977, 21.01178, 113, 1702139, "Europe/Warsaw"],
  [3067696, "Prague", "布拉格", "PPLC", "CZ", "Prague", "布拉格", 50.08804, 14.42076, 202, 1165581, "Europe/Prague"],
  [3117735, "Madrid", "马德里", "PPLC", "ES", "Madrid", "马德里", 40.4165, -3.70256, 665, 3255944, "Europe/Madrid"],
  [3128760, "Barcelona", "巴塞罗那", "PPLA", "ES", "Catalonia", "加泰罗尼亚", 41.38879, 2.15899, 47, 1620343, "Europe/Madrid"],
  [2267057, "Lisbon", "里斯本", "PPLC", "PT", "Lisbon", "里斯本", 38.71667, -9.13333, 45, 517802, "Europe/Lisbon"],
  [3169070, "Rome", "罗马", "PPLC", "IT", "Lazio", "拉齐奥", 41.89193, 12.51133, 20, 2318895, "Europe/Rome"],
  [3173435, "Milan", "米兰", "PPLA", "IT", "Lombardy", "伦巴第", 45.46427, 9.18951, 122, 1371498, "Europe/Rome"],
  [264371, "Athens", "雅典", "PPLC", "GR", "Attica", "阿提卡", 37.98376, 23.72784, 70, 664046, "Europe/Athens"],
  [360630, "Cairo", "开罗", "PPLC", "EG", "Cairo", "开罗", 30.06263, 31.24967, 23, 9606916, "Africa/Cairo"],
  [184745, "Nairobi", "内罗毕", "PPLC", "KE", "Nairobi", "内罗毕", -1.28333, 36.81667, 1684, 4397073, "Africa/Nairobi"],
  [993800, "Johannesburg", "约翰内斯堡", "PPLA", "ZA", "Gauteng", "豪登", -26.20227, 28.04363, 1767, 4803262, "Africa/Johannesburg"],
  [3369157, "Cape Town", "开普敦", "PPLC", "ZA", "Western Cape", "西开普", -33.92584, 18.42322, 25, 4772846, "Africa/Johannesburg"],
  [5128581, "New York", "纽约", "PPL", "US", "New York", "纽约州", 40.71427, -74.00597, 10, 8804190, "America/New_York"],
  [4930956, "Boston", "波士顿", "PPLA", "US", "Massachusetts", "马萨诸塞州", 42.35843, -71.05977, 38, 653833, "America/New_York"],
  [4887398, "Chicago", "芝加哥", "PPLA", "US", "Illinois", "伊利诺伊州", 41.85003, -87.65005, 179, 2720546, "America/Chicago"],
  [5809844, "Seattle", "西雅图", "PPLA", "US", "Washington", "华盛顿州", 47.60621, -122.33207, 56, 737015, "America/Los_Angeles"],
  [5391959, "San Francisco", "旧金山", "PPLA", "US", "California", "加利福尼亚州", 37.77493, -122.41942, 18, 873965, "America/Los_Angeles"],
  [5368361, "Los Angeles", "洛杉矶", "PPLA", "US", "California", "加利福尼亚州", 34.05223, -118.24368, 89, 3971883, "America/Los_Angeles"],
  [5856195, "Honolulu", "檀香山", "PPLA", "US", "Hawaii", "夏威夷州", 21.30694, -157.85833, 18, 371657, "Pacific/Honolulu"],
  [6167865, "Toronto", "多伦多", "PPLA", "CA", "Ontario", "安大略", 43.70643, -79.39864, 175, 2600000, "America/Toronto"],
  [6173331, "Vancouver", "温哥华", "PPL", "CA", "British Columbia", "不列颠哥伦比亚", 49.24966, -123.11934, 70, 600000, "America/Vancouver"],
  [3530597, "Mexico City", "墨西哥城", "PPLC", "MX", "Mexico City", "墨西哥城", 19.42847, -99.12766, 2240, 12294193, "America/Mexico_City"],
  [3448439, "São Paulo", "圣保罗", "PPLA", "BR", "São Paulo", "圣保罗州", -23.5475, -46.63611, 769, 12400232, "America/Sao_Paulo"],
  [3435910, "Buenos Aires", "布宜诺斯艾利斯", "PPLC", "AR", "Buenos Aires F.D.", "布宜诺斯艾利斯", -34.61315, -58.37723, 31, 2891082, "America/Argentina/Buenos_Aires"],
  [2147714, "Sydney", "悉尼", "PPLA", "AU", "New South Wales", "新南威尔士", -33.86785, 151.20732, 58, 4627345, "Australia/Sydney"],
  [2158177, "Melbourne", "墨尔本", "PPLA", "AU", "Victoria", "维多利亚", -37.814, 144.96332, 25, 4917750, "Australia/Melbourne"],
  [2193733, "Auckland", "奥克兰", "PPLA", "NZ", "Auckland", "奥克兰", -36.84853, 174.76349, 26, 417910, "Pacific/Auckland"],
];

/** Every place that is known here, in no order that means anything. */
export const places: readonly Place[] = rows.flatMap(
  ([
    id,
    name,
    chineseName,
    kind,
    countryCode,
    region,
    chineseRegion,
    latitude,
    longitude,
    elevation,
    population,
    timezone,
  ]) => {
    const country = countries.get(countryCode);
    const where = { latitude, longitude, elevation, population, timezone };
    return country === undefined
      ? []
      : [{ id, name, chineseName, kind, country, region, chineseRegion, ...where }];
  },
);

/** What a search compares: without case, accents, apostrophes and the blanks at its ends. */
export function searchForm(text: string): string {
  return text
    .normalize("NFD")
    .replace(/[\p{Mark}’']/gu, "")
    .trim()
    .toLowerCase();
}

const EARTH_RADIUS_KM = 6371;

/** The place that is nearest to a point, where there is one within a distance in kilometres. */
export function nearestPlace(latitude: number, longitude: number, withinKm: number): Place | undefined {
  const distances = places.map((place) => ({ place, km: distanceKm(place, latitude, longitude) }));
  const nearest = distances.reduce((best, candidate) => (candidate.km < best.km ? candidate : best));
  return nearest.km <= withinKm ? nearest.place : undefined;
}

/** Along the great circle, by the haversine formula. */
function distanceKm(place: Place, latitude: number, longitude: number): number {
  const radians = (degrees: number): number => (degrees * Math.PI) / 180;
  const north = Math.sin(radians(latitude - place.latitude) / 2) ** 2;
  const east = Math.sin(radians(longitude - place.longitude) / 2) ** 2;
  const across = Math.cos(radians(latitude)) * Math.cos(radians(place.latitude)) * east;
  return 2 * EARTH_RADIUS_KM * Math.asin(Math.min(1, Math.sqrt(north + across)));
}
