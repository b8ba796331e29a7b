/**
 * Every secret that a gateway under test is given, by its variable; none of them may ever come out of it. They are
 * made of what URLs, JSON, HTML and Base64 write in other ways.
 */
export const planted = {
  /** The sandbox's own, which `npm start` gives its gateway. */
  SANDBOX_KEY: "sandbox-key",
  /** The same in workerd. */
  WORKERD_SANDBOX_KEY: "wk-3Tz+H8/p=Yv6&n~Xc",
  MOUNTEBANK_KEY: 'mb-7Qv+W2/x=R9&k"T\\4%m~Zp',
  MOUNTEBANK_OLD_KEY: "mo-2Jd+P6/s=L1?u!Gf",
  HEADER_KEY: "hk-9Wn+B3/z=E5&j\"K\\8%20r'M<y>",
  QUERY_KEY: "qk-5Sb+J8/c=D1&n Y\"x\\2%20#Q'潮",
  BEARER_TOKEN: "bt-eyJhbGciOiJub25lIn0.cGxhbnRlZA.kX9_7w-Zq+A/s==",
  BASIC_PASSWORD: "bp-Ä55:w0rd+潮/汐=Ω\"7'&\\k",
  BASIC_PAIR: 'harbour-master:hm-4Vc+N7/g=U2&"x\\y',
  CLIENT_SECRET: 'cs-8Fh/2+密钥=&"q\\Lr 9%41',
  FORM_CLIENT_SECRET: 'fs-6Ym/5+钥匙=&"d\\Aw 3%42',
  /** What the token endpoint gives for the client's secret. */
  ACCESS_TOKEN: "at-3Kd+R/7u==9Yw~Tm.4",
  BERTHS_APP_KEY: "ba-9Qx7Zt3Lk5Hd",
  BERTHS_QUERY_KEY: "bq-2Fv8Rn4Jw6Gs",
  BERTHS_CLIENT_SECRET: "bc-5Mp1Yb7Ke9Tc",
  BERTHS_TOKEN: "bt-8Ws3Cz6Nh2Xd",
  /** What a tenant has set itself, and what that is encrypted under. */
  TENANT_SECRET: "ts-4Bw+K9/t=Q2~Zr.8",
  OTHER_TENANT_SECRET: "to-6Hx+D3/v=S5~Pm.1",
  SECRETS_KEY: "ay05VngyL1JxNytMbTQ9VHo4fldjNSZIbjMuSmQxIVA=",
  /** The key of the gateway's own callers. */
  SKILLGATE_KEY: "gk-4Xn9/Lq2+Tz7~Wb==",
} as const;
