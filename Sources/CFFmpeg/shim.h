#ifndef CFFMPEG_SHIM_H
#define CFFMPEG_SHIM_H

#include <malloc.h>
#include <string.h>

#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/avutil.h>
#include <libavutil/channel_layout.h>
#include <libavutil/crc.h>
#include <libavutil/display.h>
#include <libavutil/imgutils.h>
#include <libavutil/md5.h>
#include <libavutil/opt.h>
#include <libavutil/parseutils.h>
#include <libavutil/pixdesc.h>
#include <libavutil/timecode.h>
#include <libswresample/swresample.h>
#include <libswscale/swscale.h>

// Swift imports no macro that is a cast or looks like a function. Those that are needed have a constant here.
static const int CFFmpeg_errorAgain = AVERROR(EAGAIN);
static const int CFFmpeg_errorEnd = AVERROR_EOF;
static const int CFFmpeg_errorInvalidData = AVERROR_INVALIDDATA;
static const int CFFmpeg_errorDecoderNotFound = AVERROR_DECODER_NOT_FOUND;
static const int CFFmpeg_errorEncoderNotFound = AVERROR_ENCODER_NOT_FOUND;
static const int CFFmpeg_errorExit = AVERROR_EXIT;
static const int64_t CFFmpeg_noTimestamp = AV_NOPTS_VALUE;
static const int64_t CFFmpeg_timeBase = AV_TIME_BASE;

/// Has glibc map blocks of 256 KiB and more by themselves, and give them back when they are freed. Left alone, it
/// raises that bound to the largest block that was ever freed (mallopt(3), M_MMAP_THRESHOLD): the pictures of encoders
/// that are closed, segment by segment, then leave holes in its heap.
static inline void CFFmpeg_giveBackLargeBlocks(void) {
#ifdef __GLIBC__
  mallopt(M_MMAP_THRESHOLD, 256 * 1024);
#endif
}

/// The errno inside a libav return code, or 0 where the code is one of libav's own.
static inline int CFFmpeg_errno(int code) {
  int number = AVUNERROR(code);
  return number > 0 && number < 4096 ? number : 0;
}

/// A libav return code for an errno.
static inline int CFFmpeg_error(int number) { return AVERROR(number); }

/// A decoded frame's duration in ticks of its stream's time base; the field moved with libavutil 57.30.
static inline int64_t CFFmpeg_frameDuration(const AVFrame *frame) {
#if LIBAVUTIL_VERSION_INT >= AV_VERSION_INT(57, 30, 100)
  return frame->duration;
#else
  return frame->pkt_duration;
#endif
}

/// Whether a decoder says that a frame refers to no other; the field became a flag with libavutil 58.7.
static inline int CFFmpeg_isKeyFrame(const AVFrame *frame) {
#ifdef AV_FRAME_FLAG_KEY
  return (frame->flags & AV_FRAME_FLAG_KEY) != 0;
#else
  return frame->key_frame;
#endif
}

/// The nine numbers of a stream's display matrix, or NULL; side data moved with libavcodec 60.31.
static inline const int32_t *CFFmpeg_displayMatrix(const AVStream *stream) {
#if LIBAVCODEC_VERSION_INT >= AV_VERSION_INT(60, 31, 100)
  const AVPacketSideData *data = av_packet_side_data_get(
      stream->codecpar->coded_side_data, stream->codecpar->nb_coded_side_data, AV_PKT_DATA_DISPLAYMATRIX);
  return data && data->size >= 9 * sizeof(int32_t) ? (const int32_t *)data->data : NULL;
#else
  size_t size = 0;
  const uint8_t *data = av_stream_get_side_data(stream, AV_PKT_DATA_DISPLAYMATRIX, &size);
  return data && size >= 9 * sizeof(int32_t) ? (const int32_t *)data : NULL;
#endif
}

static inline int CFFmpeg_getClearBuffer(AVCodecContext *context, AVFrame *frame, int flags) {
  int code = avcodec_default_get_buffer2(context, frame, flags);
  if (code < 0) return code;
  for (int plane = 0; plane < AV_NUM_DATA_POINTERS && frame->buf[plane]; plane++)
    memset(frame->buf[plane]->data, 0, frame->buf[plane]->size);
  return code;
}

/// Has a decoder begin each frame with zeros. Otherwise what it leaves out shows an earlier frame that lay there.
static inline void CFFmpeg_clearFrames(AVCodecContext *context) { context->get_buffer2 = CFFmpeg_getClearBuffer; }

/// Whether a stream's coded frames are fields or pairs of fields.
static inline int CFFmpeg_isInterlaced(const AVCodecParameters *parameters) {
  return parameters->field_order > AV_FIELD_PROGRESSIVE;
}

/// sws_scale on whole frames, of which only data, linesize and height are read.
static inline int CFFmpeg_scale(struct SwsContext *context, const AVFrame *source, AVFrame *target) {
  return sws_scale(
      context, (const uint8_t *const *)source->data, source->linesize, 0, source->height, target->data,
      target->linesize);
}

/// Points `frame`, whose format and size are set, at planes that lie one after another from `bytes` on. `stride` is the
/// first plane's, 0 for rows without padding; the others' are in proportion, as V4L2 has it.
///
/// Returns the bytes up to the end of the last row, or a libav return code.
static inline int CFFmpeg_pointAt(AVFrame *frame, uint8_t *bytes, int stride) {
  enum AVPixelFormat format = (enum AVPixelFormat)frame->format;
  int tight[4];
  int code = av_image_fill_linesizes(tight, format, frame->width);
  if (code < 0) return code;
  int last = av_pix_fmt_count_planes(format) - 1;
  for (int plane = 0; plane <= last; plane++)
    frame->linesize[plane] = stride > 0 ? (int)((int64_t)tight[plane] * stride / tight[0]) : tight[plane];
  code = av_image_fill_pointers(frame->data, format, frame->height, bytes, frame->linesize);
  return code < 0 ? code : code - (frame->linesize[last] - tight[last]);
}

/// sws_setColorspaceDetails with the coefficients of SWS_CS_… numbers; range 1 is full, 0 limited.
static inline int CFFmpeg_setScaleColors(
    struct SwsContext *context, int sourceMatrix, int sourceRange, int targetMatrix, int targetRange) {
  return sws_setColorspaceDetails(
      context, sws_getCoefficients(sourceMatrix), sourceRange, sws_getCoefficients(targetMatrix), targetRange, 0,
      1 << 16, 1 << 16);
}

/// swr_convert with byte pointers as Swift hands them over.
static inline int CFFmpeg_resample(
    struct SwrContext *context, uint8_t *const *output, int outputCount, uint8_t *const *input, int inputCount) {
  return swr_convert(context, (uint8_t **)output, outputCount, (const uint8_t **)input, inputCount);
}

// What changed its name or its place between FFmpeg 5.1 and 7.x stands here once, in the form of the version at hand.

/// The pixel formats that an encoder takes, ended by AV_PIX_FMT_NONE; NULL where it does not say.
static inline const enum AVPixelFormat *CFFmpeg_pixelFormats(const AVCodec *codec) {
#if LIBAVCODEC_VERSION_INT >= AV_VERSION_INT(61, 13, 100)
  const void *formats = NULL;
  if (avcodec_get_supported_config(NULL, codec, AV_CODEC_CONFIG_PIX_FORMAT, 0, &formats, NULL) < 0) return NULL;
  return (const enum AVPixelFormat *)formats;
#else
  return codec->pix_fmts;
#endif
}

/// Adds a chapter from `start` to `end`, in milliseconds, to a file that is written. libavformat's own function for
/// that is private to it; `avformat_free_context` frees what is made here.
static inline int CFFmpeg_addChapter(
    AVFormatContext *context, int64_t number, int64_t start, int64_t end, const char *title) {
  AVChapter **chapters = (AVChapter **)av_realloc_array(
      context->chapters, context->nb_chapters + 1, sizeof(*chapters));
  if (!chapters) return AVERROR(ENOMEM);
  context->chapters = chapters;
  AVChapter *chapter = (AVChapter *)av_mallocz(sizeof(*chapter));
  if (!chapter) return AVERROR(ENOMEM);
  chapter->id = number;
  chapter->time_base = (AVRational){1, 1000};
  chapter->start = start;
  chapter->end = end;
  chapters[context->nb_chapters++] = chapter;
  return av_dict_set(&chapter->metadata, "title", title, 0);
}

/// Attaches the nine numbers of a display matrix to a track.
static inline int CFFmpeg_setDisplayMatrix(AVStream *stream, const int32_t matrix[9]) {
  size_t size = 9 * sizeof(int32_t);
#if LIBAVCODEC_VERSION_INT >= AV_VERSION_INT(60, 31, 100)
  AVPacketSideData *data = av_packet_side_data_new(
      &stream->codecpar->coded_side_data, &stream->codecpar->nb_coded_side_data, AV_PKT_DATA_DISPLAYMATRIX, size, 0);
  if (!data) return AVERROR(ENOMEM);
  memcpy(data->data, matrix, size);
#else
  uint8_t *data = av_stream_new_side_data(stream, AV_PKT_DATA_DISPLAYMATRIX, size);
  if (!data) return AVERROR(ENOMEM);
  memcpy(data, matrix, size);
#endif
  return 0;
}

typedef int (*CFFmpeg_WriteFunction)(void *opaque, const uint8_t *bytes, int count);
typedef int64_t (*CFFmpeg_SeekFunction)(void *opaque, int64_t offset, int whence);

/// An output whose bytes go through `write`; before libavformat 61 its declaration lacks the `const`.
static inline AVIOContext *CFFmpeg_openOutput(
    unsigned char *buffer, int size, void *opaque, CFFmpeg_WriteFunction write, CFFmpeg_SeekFunction seek) {
#if LIBAVFORMAT_VERSION_MAJOR >= 61
  return avio_alloc_context(buffer, size, 1, opaque, NULL, write, seek);
#else
  return avio_alloc_context(buffer, size, 1, opaque, NULL, (int (*)(void *, uint8_t *, int))write, seek);
#endif
}

/// Whether the Matroska muxer at hand stores a display matrix.
static inline int CFFmpeg_matroskaRotates(void) { return avformat_version() >= AV_VERSION_INT(60, 16, 100); }

#endif
