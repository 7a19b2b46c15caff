internal import WharfJSON

// The expansion of @JSONCodable: the release benchmark is built without swift-syntax.

extension Twitter: JSONCodable {
    static func decode(from json: inout JSONReader) -> Twitter? {
        guard var fields = json.beginObject() else { return nil }
        var statuses: [Status]?
        var searchMetadata: SearchMetadata?
        repeat {
            json.read("statuses", 0, into: &statuses, &fields)
            json.read("search_metadata", 1, into: &searchMetadata, &fields)
        } while json.next(&fields)
        guard let statuses, let searchMetadata else {
            return json.incomplete(
                fields,
                required: [(0, "statuses"), (1, "search_metadata")])
        }
        return Twitter(statuses: statuses, searchMetadata: searchMetadata)
    }

    func encode(into json: inout JSONWriter) {
        json.beginObject()
        json.field("statuses", statuses)
        json.field("search_metadata", searchMetadata)
        json.endObject()
    }
}

extension SearchMetadata: JSONCodable {
    static func decode(from json: inout JSONReader) -> SearchMetadata? {
        guard var fields = json.beginObject() else { return nil }
        var completedIn: Double?
        var maxId: Int?
        var maxIdStr: String?
        var nextResults: String?
        var query: String?
        var refreshUrl: String?
        var count: Int?
        var sinceId: Int?
        var sinceIdStr: String?
        repeat {
            json.read("completed_in", 0, into: &completedIn, &fields)
            json.read("max_id", 1, into: &maxId, &fields)
            json.read("max_id_str", 2, into: &maxIdStr, &fields)
            json.read("next_results", 3, into: &nextResults, &fields)
            json.read("query", 4, into: &query, &fields)
            json.read("refresh_url", 5, into: &refreshUrl, &fields)
            json.read("count", 6, into: &count, &fields)
            json.read("since_id", 7, into: &sinceId, &fields)
            json.read("since_id_str", 8, into: &sinceIdStr, &fields)
        } while json.next(&fields)
        guard let completedIn, let maxId, let maxIdStr, let nextResults, let query, let refreshUrl, let count,
            let sinceId, let sinceIdStr
        else {
            return json.incomplete(
                fields,
                required: [
                    (0, "completed_in"), (1, "max_id"), (2, "max_id_str"), (3, "next_results"), (4, "query"),
                    (5, "refresh_url"), (6, "count"), (7, "since_id"), (8, "since_id_str"),
                ])
        }
        return SearchMetadata(
            completedIn: completedIn, maxId: maxId, maxIdStr: maxIdStr, nextResults: nextResults, query: query,
            refreshUrl: refreshUrl, count: count, sinceId: sinceId, sinceIdStr: sinceIdStr)
    }

    func encode(into json: inout JSONWriter) {
        json.beginObject()
        json.field("completed_in", completedIn)
        json.field("max_id", maxId)
        json.field("max_id_str", maxIdStr)
        json.field("next_results", nextResults)
        json.field("query", query)
        json.field("refresh_url", refreshUrl)
        json.field("count", count)
        json.field("since_id", sinceId)
        json.field("since_id_str", sinceIdStr)
        json.endObject()
    }
}

extension StatusMetadata: JSONCodable {
    static func decode(from json: inout JSONReader) -> StatusMetadata? {
        guard var fields = json.beginObject() else { return nil }
        var resultType: String?
        var isoLanguageCode: String?
        repeat {
            json.read("result_type", 0, into: &resultType, &fields)
            json.read("iso_language_code", 1, into: &isoLanguageCode, &fields)
        } while json.next(&fields)
        guard let resultType, let isoLanguageCode else {
            return json.incomplete(
                fields,
                required: [(0, "result_type"), (1, "iso_language_code")])
        }
        return StatusMetadata(resultType: resultType, isoLanguageCode: isoLanguageCode)
    }

    func encode(into json: inout JSONWriter) {
        json.beginObject()
        json.field("result_type", resultType)
        json.field("iso_language_code", isoLanguageCode)
        json.endObject()
    }
}

extension UserMention: JSONCodable {
    static func decode(from json: inout JSONReader) -> UserMention? {
        guard var fields = json.beginObject() else { return nil }
        var screenName: String?
        var name: String?
        var id: Int?
        var idStr: String?
        var indices: [Int]?
        repeat {
            json.read("screen_name", 0, into: &screenName, &fields)
            json.read("name", 1, into: &name, &fields)
            json.read("id", 2, into: &id, &fields)
            json.read("id_str", 3, into: &idStr, &fields)
            json.read("indices", 4, into: &indices, &fields)
        } while json.next(&fields)
        guard let screenName, let name, let id, let idStr, let indices else {
            return json.incomplete(
                fields,
                required: [(0, "screen_name"), (1, "name"), (2, "id"), (3, "id_str"), (4, "indices")])
        }
        return UserMention(screenName: screenName, name: name, id: id, idStr: idStr, indices: indices)
    }

    func encode(into json: inout JSONWriter) {
        json.beginObject()
        json.field("screen_name", screenName)
        json.field("name", name)
        json.field("id", id)
        json.field("id_str", idStr)
        json.field("indices", indices)
        json.endObject()
    }
}

extension URLEntity: JSONCodable {
    static func decode(from json: inout JSONReader) -> URLEntity? {
        guard var fields = json.beginObject() else { return nil }
        var url: String?
        var expandedUrl: String?
        var displayUrl: String?
        var indices: [Int]?
        repeat {
            json.read("url", 0, into: &url, &fields)
            json.read("expanded_url", 1, into: &expandedUrl, &fields)
            json.read("display_url", 2, into: &displayUrl, &fields)
            json.read("indices", 3, into: &indices, &fields)
        } while json.next(&fields)
        guard let url, let expandedUrl, let displayUrl, let indices else {
            return json.incomplete(
                fields,
                required: [(0, "url"), (1, "expanded_url"), (2, "display_url"), (3, "indices")])
        }
        return URLEntity(url: url, expandedUrl: expandedUrl, displayUrl: displayUrl, indices: indices)
    }

    func encode(into json: inout JSONWriter) {
        json.beginObject()
        json.field("url", url)
        json.field("expanded_url", expandedUrl)
        json.field("display_url", displayUrl)
        json.field("indices", indices)
        json.endObject()
    }
}

extension Hashtag: JSONCodable {
    static func decode(from json: inout JSONReader) -> Hashtag? {
        guard var fields = json.beginObject() else { return nil }
        var text: String?
        var indices: [Int]?
        repeat {
            json.read("text", 0, into: &text, &fields)
            json.read("indices", 1, into: &indices, &fields)
        } while json.next(&fields)
        guard let text, let indices else {
            return json.incomplete(
                fields,
                required: [(0, "text"), (1, "indices")])
        }
        return Hashtag(text: text, indices: indices)
    }

    func encode(into json: inout JSONWriter) {
        json.beginObject()
        json.field("text", text)
        json.field("indices", indices)
        json.endObject()
    }
}

extension Entities: JSONCodable {
    static func decode(from json: inout JSONReader) -> Entities? {
        guard var fields = json.beginObject() else { return nil }
        var hashtags: [Hashtag]?
        var urls: [URLEntity]?
        var userMentions: [UserMention]?
        repeat {
            json.read("hashtags", 0, into: &hashtags, &fields)
            json.read("urls", 1, into: &urls, &fields)
            json.read("user_mentions", 2, into: &userMentions, &fields)
        } while json.next(&fields)
        guard let hashtags, let urls, let userMentions else {
            return json.incomplete(
                fields,
                required: [(0, "hashtags"), (1, "urls"), (2, "user_mentions")])
        }
        return Entities(hashtags: hashtags, urls: urls, userMentions: userMentions)
    }

    func encode(into json: inout JSONWriter) {
        json.beginObject()
        json.field("hashtags", hashtags)
        json.field("urls", urls)
        json.field("user_mentions", userMentions)
        json.endObject()
    }
}

extension RetweetedStatus: JSONCodable {
    static func decode(from json: inout JSONReader) -> RetweetedStatus? {
        guard var fields = json.beginObject() else { return nil }
        var metadata: StatusMetadata?
        var createdAt: String?
        var id: Int?
        var idStr: String?
        var text: String?
        var source: String?
        var truncated: Bool?
        var user: TwitterUser?
        var retweetCount: Int?
        var favoriteCount: Int?
        var entities: Entities?
        var favorited: Bool?
        var retweeted: Bool?
        var possiblySensitive: Bool??
        var lang: String?
        repeat {
            json.read("metadata", 0, into: &metadata, &fields)
            json.read("created_at", 1, into: &createdAt, &fields)
            json.read("id", 2, into: &id, &fields)
            json.read("id_str", 3, into: &idStr, &fields)
            json.read("text", 4, into: &text, &fields)
            json.read("source", 5, into: &source, &fields)
            json.read("truncated", 6, into: &truncated, &fields)
            json.read("user", 7, into: &user, &fields)
            json.read("retweet_count", 8, into: &retweetCount, &fields)
            json.read("favorite_count", 9, into: &favoriteCount, &fields)
            json.read("entities", 10, into: &entities, &fields)
            json.read("favorited", 11, into: &favorited, &fields)
            json.read("retweeted", 12, into: &retweeted, &fields)
            json.read("possibly_sensitive", 13, into: &possiblySensitive, &fields)
            json.read("lang", 14, into: &lang, &fields)
        } while json.next(&fields)
        guard let metadata, let createdAt, let id, let idStr, let text, let source, let truncated, let user,
            let retweetCount, let favoriteCount, let entities, let favorited, let retweeted, let lang
        else {
            return json.incomplete(
                fields,
                required: [
                    (0, "metadata"), (1, "created_at"), (2, "id"), (3, "id_str"), (4, "text"), (5, "source"),
                    (6, "truncated"), (7, "user"), (8, "retweet_count"), (9, "favorite_count"), (10, "entities"),
                    (11, "favorited"), (12, "retweeted"), (14, "lang"),
                ])
        }
        return RetweetedStatus(
            metadata: metadata, createdAt: createdAt, id: id, idStr: idStr, text: text, source: source,
            truncated: truncated, user: user, retweetCount: retweetCount, favoriteCount: favoriteCount,
            entities: entities, favorited: favorited, retweeted: retweeted, possiblySensitive: possiblySensitive ?? nil,
            lang: lang)
    }

    func encode(into json: inout JSONWriter) {
        json.beginObject()
        json.field("metadata", metadata)
        json.field("created_at", createdAt)
        json.field("id", id)
        json.field("id_str", idStr)
        json.field("text", text)
        json.field("source", source)
        json.field("truncated", truncated)
        json.field("user", user)
        json.field("retweet_count", retweetCount)
        json.field("favorite_count", favoriteCount)
        json.field("entities", entities)
        json.field("favorited", favorited)
        json.field("retweeted", retweeted)
        json.fieldIfPresent("possibly_sensitive", possiblySensitive)
        json.field("lang", lang)
        json.endObject()
    }
}

extension Status: JSONCodable {
    static func decode(from json: inout JSONReader) -> Status? {
        guard var fields = json.beginObject() else { return nil }
        var metadata: StatusMetadata?
        var createdAt: String?
        var id: Int?
        var idStr: String?
        var text: String?
        var source: String?
        var truncated: Bool?
        var inReplyToStatusId: Int??
        var inReplyToUserId: Int??
        var inReplyToScreenName: String??
        var user: TwitterUser?
        var retweetedStatus: RetweetedStatus??
        var retweetCount: Int?
        var favoriteCount: Int?
        var entities: Entities?
        var favorited: Bool?
        var retweeted: Bool?
        var possiblySensitive: Bool??
        var lang: String?
        repeat {
            json.read("metadata", 0, into: &metadata, &fields)
            json.read("created_at", 1, into: &createdAt, &fields)
            json.read("id", 2, into: &id, &fields)
            json.read("id_str", 3, into: &idStr, &fields)
            json.read("text", 4, into: &text, &fields)
            json.read("source", 5, into: &source, &fields)
            json.read("truncated", 6, into: &truncated, &fields)
            json.read("in_reply_to_status_id", 7, into: &inReplyToStatusId, &fields)
            json.read("in_reply_to_user_id", 8, into: &inReplyToUserId, &fields)
            json.read("in_reply_to_screen_name", 9, into: &inReplyToScreenName, &fields)
            json.read("user", 10, into: &user, &fields)
            json.read("retweeted_status", 11, into: &retweetedStatus, &fields)
            json.read("retweet_count", 12, into: &retweetCount, &fields)
            json.read("favorite_count", 13, into: &favoriteCount, &fields)
            json.read("entities", 14, into: &entities, &fields)
            json.read("favorited", 15, into: &favorited, &fields)
            json.read("retweeted", 16, into: &retweeted, &fields)
            json.read("possibly_sensitive", 17, into: &possiblySensitive, &fields)
            json.read("lang", 18, into: &lang, &fields)
        } while json.next(&fields)
        guard let metadata, let createdAt, let id, let idStr, let text, let source, let truncated, let user,
            let retweetCount, let favoriteCount, let entities, let favorited, let retweeted, let lang
        else {
            return json.incomplete(
                fields,
                required: [
                    (0, "metadata"), (1, "created_at"), (2, "id"), (3, "id_str"), (4, "text"), (5, "source"),
                    (6, "truncated"), (10, "user"), (12, "retweet_count"), (13, "favorite_count"), (14, "entities"),
                    (15, "favorited"), (16, "retweeted"), (18, "lang"),
                ])
        }
        return Status(
            metadata: metadata, createdAt: createdAt, id: id, idStr: idStr, text: text, source: source,
            truncated: truncated, inReplyToStatusId: inReplyToStatusId ?? nil, inReplyToUserId: inReplyToUserId ?? nil,
            inReplyToScreenName: inReplyToScreenName ?? nil, user: user, retweetedStatus: retweetedStatus ?? nil,
            retweetCount: retweetCount, favoriteCount: favoriteCount, entities: entities, favorited: favorited,
            retweeted: retweeted, possiblySensitive: possiblySensitive ?? nil, lang: lang)
    }

    func encode(into json: inout JSONWriter) {
        json.beginObject()
        json.field("metadata", metadata)
        json.field("created_at", createdAt)
        json.field("id", id)
        json.field("id_str", idStr)
        json.field("text", text)
        json.field("source", source)
        json.field("truncated", truncated)
        json.fieldIfPresent("in_reply_to_status_id", inReplyToStatusId)
        json.fieldIfPresent("in_reply_to_user_id", inReplyToUserId)
        json.fieldIfPresent("in_reply_to_screen_name", inReplyToScreenName)
        json.field("user", user)
        json.fieldIfPresent("retweeted_status", retweetedStatus)
        json.field("retweet_count", retweetCount)
        json.field("favorite_count", favoriteCount)
        json.field("entities", entities)
        json.field("favorited", favorited)
        json.field("retweeted", retweeted)
        json.fieldIfPresent("possibly_sensitive", possiblySensitive)
        json.field("lang", lang)
        json.endObject()
    }
}
