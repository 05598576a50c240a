// Two checks on every answer, as most k6 scripts have them.
import http from 'k6/http';
import { check } from 'k6';

export const options = {
  vus: Number(__ENV.USERS),
  duration: `${__ENV.SECONDS}s`,
  summaryTrendStats: ['med', 'p(95)'],
};

export default function () {
  const answer = http.get(__ENV.URL);
  check(answer, {
    'status is 200': (r) => r.status === 200,
    'is JSON': (r) => r.headers['Content-Type'] === 'application/json',
  });
}
