// RATE arrivals a second, or USERS users in a loop; the percentiles go to the file SUMMARY.
import http from 'k6/http';

const arrivals = {
  executor: 'constant-arrival-rate', rate: Number(__ENV.RATE), timeUnit: '1s', duration: `${__ENV.SECONDS}s`,
  preAllocatedVUs: Number(__ENV.ROOM), maxVUs: Number(__ENV.ROOM),
};
const users = { executor: 'constant-vus', vus: Number(__ENV.USERS), duration: `${__ENV.SECONDS}s` };

export const options = {
  scenarios: { load: __ENV.RATE ? arrivals : users },
  summaryTrendStats: ['med', 'p(95)', 'p(99)', 'max'],
};

export default function () {
  http.get(__ENV.URL);
}

export function handleSummary(data) {
  return { [__ENV.SUMMARY]: JSON.stringify(data) };
}
