"""Configurations and programs that are not in Python, for the servers in limiter_servers.py. @NAME@ is a value of the server."""

NGINX = """
daemon off; worker_processes @workers@; pid @folder@/nginx.pid; error_log @folder@/error.log crit;
events { worker_connections 2048; }
http {
  access_log off; default_type application/json; client_body_temp_path @folder@/body; keepalive_requests 100000;
  proxy_temp_path @folder@/proxy; fastcgi_temp_path @folder@/f; uwsgi_temp_path @folder@/u; scgi_temp_path @folder@/s;
  limit_req_zone $binary_remote_addr zone=words:1m rate=@rate@;
  limit_conn_zone $binary_remote_addr zone=connections:1m;
  server {
    listen 127.0.0.1:@port@ backlog=2048; root @folder@;
    location /words/ { @rule@ try_files /word.json =404; }
  }
}
"""

HAPROXY = """
global
  maxconn 2000
defaults
  mode http
  timeout client 10s
  timeout server 10s
  timeout connect 5s
frontend words
  bind 127.0.0.1:@port@
  stick-table type ip size 10k expire 1m store @store@
  http-request track-sc0 src
  @rule@
  http-request return status 200 content-type application/json string '{"word":"up"}'
"""

RACK = """
require "active_support"
require "active_support/cache"
require "rack/attack"
Rack::Attack.cache.store = ActiveSupport::Cache::MemoryStore.new
Rack::Attack.throttle("address", limit: 10, period: 3) { |request| request.ip }
Rack::Attack.throttled_response_retry_after_header = true
use Rack::Attack
run ->(environment) { [200, {"content-type" => "application/json"}, ['{"word":"up"}']] }
"""

VARNISH = """
vcl 4.1;
import vsthrottle;
backend default none;
sub vcl_recv {
  if (vsthrottle.is_denied("" + client.ip, 10, 2s)) { return (synth(429, "Too Many Requests")); }
  return (synth(200));
}
sub vcl_synth {
  set resp.http.Content-Type = "text/plain";
  synthetic("word: up");
  return (deliver);
}
"""

APACHE = """
ServerRoot @folder@
ServerName localhost
PidFile @folder@/apache.pid
ErrorLog @folder@/error.log
Listen 127.0.0.1:@port@
LoadModule mpm_event_module /usr/lib/apache2/modules/mod_mpm_event.so
LoadModule authz_core_module /usr/lib/apache2/modules/mod_authz_core.so
LoadModule alias_module /usr/lib/apache2/modules/mod_alias.so
LoadModule mime_module /usr/lib/apache2/modules/mod_mime.so
LoadModule setenvif_module /usr/lib/apache2/modules/mod_setenvif.so
TypesConfig /etc/mime.types
DocumentRoot @folder@
KeepAlive On
MaxKeepAliveRequests 0
AliasMatch ^/words/[0-9]+$ @folder@/word.json
@rule@
"""

GO = """
package main

import (
	"net"
	"net/http"
	"sync"

	"@package@"
)

var lock sync.Mutex
var limiters = map[string]@type@{}

func admit(key string) bool {
	lock.Lock()
	defer lock.Unlock()
	if _, found := limiters[key]; !found {
		limiters[key] = @new@
	}
	return limiters[key].@admit@
}

func main() {
	http.HandleFunc("/words/", func(response http.ResponseWriter, request *http.Request) {
		address, _, _ := net.SplitHostPort(request.RemoteAddr)
		if admit(address) {
			response.Header().Set("Content-Type", "application/json")
			response.Write([]byte("{}"))
		} else {
			http.Error(response, "too many requests", 429)
		}
	})
	http.ListenAndServe("127.0.0.1:@port@", nil)
}
"""

SYMFONY = """<?php
require_once '/usr/share/php/Symfony/Component/RateLimiter/autoload.php';
require_once '/usr/share/php/Symfony/Component/Cache/autoload.php';
use Symfony\\Component\\Cache\\Adapter\\FilesystemAdapter;
use Symfony\\Component\\RateLimiter\\RateLimiterFactory;
use Symfony\\Component\\RateLimiter\\Storage\\CacheStorage;
$storage = new CacheStorage(new FilesystemAdapter('', 0, '@folder@/cache'));
$factory = new RateLimiterFactory(@policy@ + ['id' => 'words'], $storage);
$limit = $factory->create($_SERVER['REMOTE_ADDR'])->consume(1);
header('Content-Type: application/json');
header('X-RateLimit-Limit: ' . $limit->getLimit());
header('X-RateLimit-Remaining: ' . $limit->getRemainingTokens());
if (!$limit->isAccepted()) {
    http_response_code(429);
    header('Retry-After: ' . max(0, $limit->getRetryAfter()->getTimestamp() - time()));
}
echo '{"word":"up"}';
"""

SYNAPSE = """
server_name: localhost
pid_file: @folder@/synapse.pid
listeners:
  - {port: @port@, bind_addresses: [127.0.0.1], type: http, tls: false, x_forwarded: false, resources: [{names: [client]}]}
database: {name: sqlite3, args: {database: "@folder@/synapse.db"}}
media_store_path: @folder@/media
signing_key_path: @folder@/signing.key
report_stats: false
suppress_key_server_warning: true
trusted_key_servers: []
enable_registration: true
registration_requires_token: true
rc_registration_token_validity: {per_second: 5, burst_count: 10}
"""
