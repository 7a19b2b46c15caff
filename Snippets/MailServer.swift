// E-mail through a mail server, by SMTP, on Linux.

#if os(Linux)
import WharfCore
import WharfMessaging
import WharfSMTP

let password = "from where your app has its secrets"

// snippet.smtp
let email = SMTPChannel(
    from: Mailbox(try EmailAddress("wharf@example.com"), name: "Wharf"),
    server: try SMTPServer(
        "smtp.example.com", credentials: SMTPCredentials(user: "wharf@example.com", password: password)))
// snippet.end

// snippet.hide
print("addresses: \(email.name)")
// No server listens at this port, so the message waits in the outbox.
let relay = SMTPChannel(
    from: Mailbox(try EmailAddress("wharf@example.com")), server: try .unencrypted("127.0.0.1", port: 1))
let part = MessagePart(
    body: "At noon?", address: "ada@example.com", key: IdempotencyKey("k1"), sentAt: WallTime(secondsSince1970: 0))
print(await relay.deliver(part).failure?.code.name ?? "delivered")
// snippet.show
#else
print("addresses: email")
print("offline")
#endif

// Output:
// addresses: email
// offline
