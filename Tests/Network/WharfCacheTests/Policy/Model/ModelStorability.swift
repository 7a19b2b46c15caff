/// RFC 9111 §3: the conditions under which a response may be stored.
struct ModelStorability {
    let exchange: ModelExchange

    private var freshness: ModelFreshness { ModelFreshness(exchange: exchange) }
    private var asked: ModelDirectives { ModelDirectives(ModelFields.values("Cache-Control", exchange.request)) }

    /// "A cache MUST NOT store a response to a request unless:"
    var isPermitted: Bool {
        let said = freshness.directives
        return [
            // "the request method is understood by the cache;" RFC 9110 §9.2.3: "This specification
            // defines caching semantics for GET, HEAD, and POST".
            ["GET", "HEAD", "POST"].contains(exchange.method),
            // RFC 9110 §9.3.3: "Responses to POST requests are only cacheable when they include
            // explicit freshness information […] and a Content-Location header field that has the
            // same value as the POST's target URI".
            exchange.method != "POST" || (hasLifetime && exchange.namesTarget),
            // "the response status code is final;"
            exchange.status >= 200,
            // "if the response status code is 206 or 304, or the must-understand cache directive is
            // present: the cache understands the response status code;"
            !said.has("must-understand") || isUnderstood,
            // "the no-store cache directive is not present in the response;" §5.2.2.3: a cache that
            // understands the status "SHOULD ignore the no-store directive" beside must-understand.
            !said.has("no-store") || (said.has("must-understand") && isUnderstood),
            // §5.2.1.5: "a cache MUST NOT store any part of either this request or any response to
            // it."
            !asked.has("no-store"),
            // "if the cache is shared: the private response directive is either not present or
            // allows a shared cache to store a modified response;"
            !exchange.isShared || !said.concernsTheResponse("private"),
            // "if the cache is shared: the Authorization header field is not present in the request
            // or a response directive is present that explicitly allows shared caching;"
            !exchange.isShared || !isAuthorized || permitsSharing,
            // "the response contains at least one of the following:"
            hasLifetime || said.has("public") || (!exchange.isShared && said.has("private"))
                || ModelFreshness.heuristicallyCacheable.contains(exchange.status),
        ].allSatisfy { $0 }
    }

    /// Whether Wharf stores each response of this kind that it may.
    ///
    /// A cache may leave responses out. Wharf does so with these:
    var isExpected: Bool {
        // The answer to HEAD has no body. Wharf stores no other answer to POST than a 200.
        (exchange.method == "GET" || exchange.method == "POST" && exchange.status == 200)
            // They are parts of other responses, or about a range.
            && exchange.status != 206 && exchange.status != 304 && exchange.status != 416
            // §4.1: it "always fails to match".
            && !ModelFields.values("Vary", exchange.response).flatMap(ModelFields.members).contains("*")
            && !hasVaryOfCredentials
            && (hasLifetime || ModelFreshness.heuristicallyCacheable.contains(exchange.status)
                // A failure of the server is stored only with a lifetime.
                || isMarked && ![500, 502, 503, 504].contains(exchange.status))
    }

    /// A `private` that names fields permits nothing for the others.
    private var isMarked: Bool {
        let said = freshness.directives
        return said.has("public") || (!exchange.isShared && said.concernsTheResponse("private"))
    }

    /// "an Expires header field; a max-age response directive; if the cache is shared: an s-maxage
    /// response directive;"
    private var hasLifetime: Bool {
        let said = freshness.directives
        return !freshness.expires.isEmpty || said.has("max-age") || (exchange.isShared && said.has("s-maxage"))
    }

    /// The statuses of RFC 9110 that the generator makes.
    private var isUnderstood: Bool { exchange.status != 599 && exchange.status != 299 }

    var isAuthorized: Bool { !ModelFields.values("Authorization", exchange.request).isEmpty }

    /// §3.5: "In this specification, the following response directives have such an effect:
    /// must-revalidate, public, and s-maxage."
    var permitsSharing: Bool { ["must-revalidate", "public", "s-maxage"].contains { freshness.directives.has($0) } }

    private var hasVaryOfCredentials: Bool {
        let names = ModelFields.values("Vary", exchange.response).flatMap(ModelFields.members).map { $0.lowercased() }
        return isAuthorized && names.contains("authorization") && exchange.isShared
    }
}
