struct Twitter: Codable, Hashable, Sendable {
    var statuses: [Status]
    var searchMetadata: SearchMetadata

    enum CodingKeys: String, CodingKey {
        case statuses
        case searchMetadata = "search_metadata"
    }
}

struct SearchMetadata: Codable, Hashable, Sendable {
    var completedIn: Double
    var maxId: Int
    var maxIdStr: String
    var nextResults: String
    var query: String
    var refreshUrl: String
    var count: Int
    var sinceId: Int
    var sinceIdStr: String

    enum CodingKeys: String, CodingKey {
        case query, count
        case completedIn = "completed_in"
        case maxId = "max_id"
        case maxIdStr = "max_id_str"
        case nextResults = "next_results"
        case refreshUrl = "refresh_url"
        case sinceId = "since_id"
        case sinceIdStr = "since_id_str"
    }
}

struct StatusMetadata: Codable, Hashable, Sendable {
    var resultType: String
    var isoLanguageCode: String

    enum CodingKeys: String, CodingKey {
        case resultType = "result_type"
        case isoLanguageCode = "iso_language_code"
    }
}

struct UserMention: Codable, Hashable, Sendable {
    var screenName: String
    var name: String
    var id: Int
    var idStr: String
    var indices: [Int]

    enum CodingKeys: String, CodingKey {
        case name, id, indices
        case screenName = "screen_name"
        case idStr = "id_str"
    }
}

struct URLEntity: Codable, Hashable, Sendable {
    var url: String
    var expandedUrl: String
    var displayUrl: String
    var indices: [Int]

    enum CodingKeys: String, CodingKey {
        case url, indices
        case expandedUrl = "expanded_url"
        case displayUrl = "display_url"
    }
}

struct Hashtag: Codable, Hashable, Sendable {
    var text: String
    var indices: [Int]
}

struct Entities: Codable, Hashable, Sendable {
    var hashtags: [Hashtag]
    var urls: [URLEntity]
    var userMentions: [UserMention]

    enum CodingKeys: String, CodingKey {
        case hashtags, urls
        case userMentions = "user_mentions"
    }
}

struct TwitterUser: Codable, Hashable, Sendable {
    var id: Int
    var idStr: String
    var name: String
    var screenName: String
    var location: String
    var description: String
    var url: String?
    var `protected`: Bool
    var followersCount: Int
    var friendsCount: Int
    var listedCount: Int
    var createdAt: String
    var favouritesCount: Int
    var utcOffset: Int?
    var timeZone: String?
    var geoEnabled: Bool
    var verified: Bool
    var statusesCount: Int
    var lang: String
    var contributorsEnabled: Bool
    var isTranslator: Bool
    var isTranslationEnabled: Bool
    var profileBackgroundColor: String
    var profileBackgroundImageUrl: String
    var profileBackgroundImageUrlHttps: String
    var profileBackgroundTile: Bool
    var profileImageUrl: String
    var profileImageUrlHttps: String
    var profileBannerUrl: String?
    var profileLinkColor: String
    var profileSidebarBorderColor: String
    var profileSidebarFillColor: String
    var profileTextColor: String
    var profileUseBackgroundImage: Bool
    var defaultProfile: Bool
    var defaultProfileImage: Bool
    var following: Bool
    var followRequestSent: Bool
    var notifications: Bool

    enum CodingKeys: String, CodingKey {
        case id, name, location, description, url, `protected`, verified, lang, following, notifications
        case idStr = "id_str"
        case screenName = "screen_name"
        case followersCount = "followers_count"
        case friendsCount = "friends_count"
        case listedCount = "listed_count"
        case createdAt = "created_at"
        case favouritesCount = "favourites_count"
        case utcOffset = "utc_offset"
        case timeZone = "time_zone"
        case geoEnabled = "geo_enabled"
        case statusesCount = "statuses_count"
        case contributorsEnabled = "contributors_enabled"
        case isTranslator = "is_translator"
        case isTranslationEnabled = "is_translation_enabled"
        case profileBackgroundColor = "profile_background_color"
        case profileBackgroundImageUrl = "profile_background_image_url"
        case profileBackgroundImageUrlHttps = "profile_background_image_url_https"
        case profileBackgroundTile = "profile_background_tile"
        case profileImageUrl = "profile_image_url"
        case profileImageUrlHttps = "profile_image_url_https"
        case profileBannerUrl = "profile_banner_url"
        case profileLinkColor = "profile_link_color"
        case profileSidebarBorderColor = "profile_sidebar_border_color"
        case profileSidebarFillColor = "profile_sidebar_fill_color"
        case profileTextColor = "profile_text_color"
        case profileUseBackgroundImage = "profile_use_background_image"
        case defaultProfile = "default_profile"
        case defaultProfileImage = "default_profile_image"
        case followRequestSent = "follow_request_sent"
    }
}

struct RetweetedStatus: Codable, Hashable, Sendable {
    var metadata: StatusMetadata
    var createdAt: String
    var id: Int
    var idStr: String
    var text: String
    var source: String
    var truncated: Bool
    var user: TwitterUser
    var retweetCount: Int
    var favoriteCount: Int
    var entities: Entities
    var favorited: Bool
    var retweeted: Bool
    var possiblySensitive: Bool?
    var lang: String

    enum CodingKeys: String, CodingKey {
        case metadata, id, text, source, truncated, user, entities, favorited, retweeted, lang
        case createdAt = "created_at"
        case idStr = "id_str"
        case retweetCount = "retweet_count"
        case favoriteCount = "favorite_count"
        case possiblySensitive = "possibly_sensitive"
    }
}

struct Status: Codable, Hashable, Sendable {
    var metadata: StatusMetadata
    var createdAt: String
    var id: Int
    var idStr: String
    var text: String
    var source: String
    var truncated: Bool
    var inReplyToStatusId: Int?
    var inReplyToUserId: Int?
    var inReplyToScreenName: String?
    var user: TwitterUser
    var retweetedStatus: RetweetedStatus?
    var retweetCount: Int
    var favoriteCount: Int
    var entities: Entities
    var favorited: Bool
    var retweeted: Bool
    var possiblySensitive: Bool?
    var lang: String

    enum CodingKeys: String, CodingKey {
        case metadata, id, text, source, truncated, user, entities, favorited, retweeted, lang
        case createdAt = "created_at"
        case idStr = "id_str"
        case inReplyToStatusId = "in_reply_to_status_id"
        case inReplyToUserId = "in_reply_to_user_id"
        case inReplyToScreenName = "in_reply_to_screen_name"
        case retweetedStatus = "retweeted_status"
        case retweetCount = "retweet_count"
        case favoriteCount = "favorite_count"
        case possiblySensitive = "possibly_sensitive"
    }
}
