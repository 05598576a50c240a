"""One FastHttpUser that asks for one URL again and again and checks the status."""
import os

from locust import FastHttpUser, constant, task


class Reader(FastHttpUser):
    wait_time = constant(0)

    @task
    def read(self):
        with self.client.get(os.environ["URL_PATH"], catch_response=True) as answer:
            if answer.status_code != 200:
                answer.failure("status")
