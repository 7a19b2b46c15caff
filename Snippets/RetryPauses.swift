// Backoff with full jitter: random pauses below a bound that doubles. So clients that failed
// together do not retry together.

// snippet.hide
import WharfCore

// snippet.show
let policy = RetryPolicy(attempts: 4, base: .milliseconds(200), cap: .seconds(1))
var random = SystemRandomNumberGenerator()

for failures in 1...4 {
    if let pause = policy.delay(afterFailures: failures, using: &random) {
        let bound = Duration.milliseconds(200) * (1 << (failures - 1))
        print("failure \(failures): a pause below \(bound)", pause < bound ? "kept" : "exceeded")
    } else {
        print("failure \(failures): the last one")
    }
}

// A request is never sent before the time that the server names. If that time is too long, it is
// not retried.
let asked = policy.delay(afterFailures: 1, retryAfter: .seconds(5), using: &random)
print("Retry-After: 5 waits at least that:", asked.map { $0 >= .seconds(5) } ?? false)
let tooLong = policy.delay(afterFailures: 1, retryAfter: .seconds(3600), using: &random)
print("Retry-After: 3600 waits:", tooLong != nil)

// snippet.hide
// Output:
// failure 1: a pause below 0.2 seconds kept
// failure 2: a pause below 0.4 seconds kept
// failure 3: a pause below 0.8 seconds kept
// failure 4: the last one
// Retry-After: 5 waits at least that: true
// Retry-After: 3600 waits: false
